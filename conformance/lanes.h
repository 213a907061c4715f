// Threads side by side whose results come back in the order of their tasks.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace onnxv {

// A task is given by one thread, worked on in any lane, and taken back by the giver in the order of
// giving. At most twice as many tasks as lanes are open at a time: what they hold stays small.
template <class Task>
class Lanes {
 public:
  using Worker = std::function<void(Task&)>;

  // `make` is called in each lane's thread: what its worker holds lives and dies there (a child
  // process that asks to die with its parent dies with the thread that started it). A worker may
  // not throw. `done` is called in the giver's thread.
  Lanes(int count, std::function<Worker()> make, std::function<void(Task&)> done)
      : most_(2 * static_cast<size_t>(count)), done_(std::move(done)) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, make] { work(make()); });
    }
  }
  // Tasks that nobody took back are worked on, and dropped.
  ~Lanes() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    given_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  void give(Task task) {
    while (open_.size() >= most_) take_back();
    {
      const std::lock_guard lock(mutex_);
      open_.push_back(std::make_unique<Slot>(Slot{std::move(task)}));
      waiting_.push_back(open_.back().get());
    }
    given_.notify_one();
  }

  void finish() {
    while (!open_.empty()) take_back();
  }

 private:
  struct Slot {
    Task task;
    bool finished = false;
  };

  void take_back() {
    std::unique_ptr<Slot> slot = std::move(open_.front());
    open_.pop_front();
    {
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [&] { return slot->finished; });
    }
    done_(slot->task);
  }

  void work(const Worker& worker) {
    for (;;) {
      Slot* slot = nullptr;
      {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        slot = waiting_.front();
        waiting_.pop_front();
      }
      worker(slot->task);
      {
        const std::lock_guard lock(mutex_);
        slot->finished = true;
      }
      finished_.notify_all();
    }
  }

  const size_t most_;
  const std::function<void(Task&)> done_;
  std::mutex mutex_;
  std::condition_variable given_, finished_;
  std::deque<std::unique_ptr<Slot>> open_;  // the giver's alone
  std::deque<Slot*> waiting_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace onnxv
