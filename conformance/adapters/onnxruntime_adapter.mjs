// ONNX Runtime for JavaScript: `onnxruntime_adapter.mjs PACKAGE FOLDER`, where PACKAGE is onnxruntime-node or
// onnxruntime-web (WebAssembly) and FOLDER holds its node_modules. Options: provider=wasm, optimization=off|basic|
// extended|all, threads=N.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import readline from "node:readline";

// The last line that a dead worker wrote to stderr is what its tests report.
process.on("uncaughtException", (error) => {
  console.error(String(error.message).split("\n")[0]);
  process.exit(1);
});

const [backend, folder] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), "package.json"));
const protobuf = require("protobufjs");
const ort = require(backend);
ort.env.logLevel = "fatal";

const wire = protobuf.loadSync(path.join(import.meta.dirname ?? path.dirname(process.argv[1]), "onnx.proto"));
const TensorProto = wire.lookupType("onnxv.wire.TensorProto");
const ModelProto = wire.lookupType("onnxv.wire.ModelProto");

class Unsupported extends Error {}

// By the numbers of TensorProto.DataType: the name that its tensors have here, and the array that holds their bits.
const TYPES = new Map([
  [1, ["float32", Float32Array]], [2, ["uint8", Uint8Array]], [3, ["int8", Int8Array]], [4, ["uint16", Uint16Array]],
  [5, ["int16", Int16Array]], [6, ["int32", Int32Array]], [7, ["int64", BigInt64Array]], [9, ["bool", Uint8Array]],
  [10, ["float16", Uint16Array]], [11, ["float64", Float64Array]], [12, ["uint32", Uint32Array]],
  [13, ["uint64", BigUint64Array]],
]);
const STRING = 8;
const NUMBERS = new Map([...TYPES].map(([number, [name]]) => [name, number]));

const NOT_SUPPORTED = new RegExp(
  "NOT_IMPLEMENTED|is not a registered function/op|No Op registered for|is till opset|is under development|" +
  "not currently registered or supported|[Nn]ot supported|[Uu]nsupported|not implemented|" +
  "Could not find an implementation|" +
  "Type '[^']*' of (input|output) parameter .* is invalid|[Oo]nly .*tensor.* (is|are) supported");

// The elements of a tensor that does not keep them as raw bytes.
function typedElements(proto, Elements) {
  const lists = { 1: "floatData", 7: "int64Data", 11: "doubleData", 12: "uint64Data", 13: "uint64Data" };
  const list = proto[lists[proto.dataType] ?? "int32Data"] ?? [];
  const whole = Elements === BigInt64Array || Elements === BigUint64Array;
  return Elements.from(list, (element) => (whole ? BigInt(element.toString()) : Number(element)));
}

function bound(file, kind) {
  if (kind !== "tensor") throw new Unsupported("only tensors can be bound");
  const proto = TensorProto.decode(fs.readFileSync(file));
  const shape = (proto.dims ?? []).map(Number);
  if (proto.dataType === STRING) {
    return new ort.Tensor("string", proto.stringData.map((bytes) => Buffer.from(bytes).toString("utf8")), shape);
  }
  if (!TYPES.has(proto.dataType)) {
    throw new Unsupported(`a tensor of data type ${proto.dataType} cannot be bound without a cast`);
  }
  const [name, Elements] = TYPES.get(proto.dataType);
  const raw = Object.hasOwn(proto, "rawData");
  // A copy, because an array of larger elements must begin where they may.
  const elements = raw ? new Elements(new Uint8Array(proto.rawData).buffer) : typedElements(proto, Elements);
  return new ort.Tensor(name, elements, shape);
}

function written(tensor, directory, number) {
  if (!(tensor instanceof ort.Tensor)) throw new Unsupported("its output is no tensor");
  const proto = { dims: [...tensor.dims], dataType: NUMBERS.get(tensor.type) };
  if (tensor.type === "string") {
    proto.dataType = STRING;
    proto.stringData = tensor.data.map((text) => Buffer.from(text, "utf8"));
  } else if (proto.dataType === undefined) {
    throw new Unsupported(`its output has the type ${tensor.type}`);
  } else {
    proto.rawData = Buffer.from(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);
  }
  const name = `output_${number}.pb`;
  fs.writeFileSync(path.join(directory, name), TensorProto.encode(TensorProto.create(proto)).finish());
  return name;
}

// Every option is checked, so that a misspelt one does not go unnoticed.
function sessionOptions(options) {
  const levels = { off: "disabled", basic: "basic", extended: "extended", all: "all" };
  for (const key of Object.keys(options)) {
    if (!["provider", "optimization", "threads"].includes(key)) throw new Error(`no such option: ${key}`);
  }
  const threads = Number(options.threads ?? 1);
  if (ort.env.wasm) ort.env.wasm.numThreads = threads;
  return {
    executionProviders: [options.provider ?? (backend === "onnxruntime-web" ? "wasm" : "cpu")],
    graphOptimizationLevel: levels[options.optimization ?? "all"],
    intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4,
  };
}

// Two of one model in a row, as for several data sets, share a session.
let loaded = { key: "" };

async function prepared(file, options) {
  const status = fs.statSync(file);
  const key = JSON.stringify([file, status.mtimeMs, status.size, status.ino, options]);
  if (key === loaded.key) return loaded;
  await loaded.session?.release();
  loaded = { key: "" };
  const bytes = fs.readFileSync(file);
  const graph = ModelProto.decode(bytes).graph;
  const initial = new Set(graph.initializer.map((tensor) => tensor.name));
  const source = backend === "onnxruntime-web" ? bytes : file;
  const session = await ort.InferenceSession.create(source, sessionOptions(options));
  loaded = { key, session, inputs: graph.input.map((port) => port.name).filter((name) => !initial.has(name)) };
  return loaded;
}

async function answer(request) {
  const { session, inputs } = await prepared(request.model, request.options);
  const feeds = {};
  request.inputs.forEach((file, i) => {
    if (file) feeds[inputs[i]] = bound(file, request.kinds[i]);
  });
  const results = await session.run(feeds, request.want);
  return { status: "ok", outputs: request.want.map((name, i) => written(results[name], request.output_dir, i)) };
}

async function guarded(request) {
  try {
    return await answer(request);
  } catch (error) {
    const message = String(error?.message ?? error).replace(/\s+/g, " ");
    const refused = error instanceof Unsupported || NOT_SUPPORTED.test(message);
    return { status: refused ? "unsupported" : "error", message };
  }
}

const channel = Number(process.env.ONNXV_FD ?? 1);
const say = (message) => fs.writeSync(channel, JSON.stringify(message) + "\n");
const { version } = JSON.parse(fs.readFileSync(path.join(folder, "node_modules", backend, "package.json")));
// Requests carry the options, but come later; they stand in the arguments, too.
const provider = process.argv.find((word) => word.startsWith("provider="))?.slice("provider=".length);
const device = provider ?? (backend === "onnxruntime-web" ? "wasm" : "cpu");
say({ protocol: 1, name: backend, version, device, max_opset: 0, intermediates: false });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  say({ id: request.id, ...(await guarded(request)) });
}
process.exit(0);
