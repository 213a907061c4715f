"""Any module with the onnx.backend.base.Backend interface: `python_adapter.py MODULE`. Options: device=CPU, and
whatever its prepare() takes as keywords."""

import importlib
import os
import sys

import onnx
from onnx.backend.base import Backend
from onnxv_values import Ports, Unsupported, python_value
from onnxv_worker import option, serve


def backend_of(module):
    """The module itself where it has prepare(), as most do, else the only Backend in it."""
    if hasattr(module, "prepare"):
        return module
    classes = [c for c in vars(module).values() if isinstance(c, type) and issubclass(c, Backend) and c is not Backend]
    if len(classes) != 1:
        raise ImportError(f"{module.__name__} has no prepare() and {len(classes)} classes of onnx.backend.base.Backend")
    return classes[0]


def version_of(module):
    top = sys.modules[module.__name__.split(".")[0]]
    return str(getattr(module, "__version__", None) or getattr(top, "__version__", ""))


# The user's own modules, too.
sys.path.insert(1, os.getcwd())
module = importlib.import_module(sys.argv[1])
backend = backend_of(module)


class Prepared:
    def __init__(self, path, options):
        options = dict(options)
        device = options.pop("device", "CPU")
        if hasattr(backend, "supports_device") and not backend.supports_device(device):
            raise Unsupported(f"it does not support the device {device}")
        model = onnx.load(path)
        if hasattr(backend, "is_compatible") and not backend.is_compatible(model, device, **options):
            raise Unsupported("it calls the model incompatible")
        self.ports = Ports(model)
        self.rep = backend.prepare(model, device, **options)

    def __call__(self, inputs, want):
        values = [None if proto is None else python_value(proto) for proto in inputs]
        by_name = dict(zip(self.ports.outputs, self.rep.run(values), strict=True))
        return self.ports.protos(want, [by_name[name] for name in want])


serve(sys.argv[1], version_of(module), Prepared, options=None,
      not_supported=r"NOT_IMPLEMENTED|[Nn]ot implemented|[Nn]ot supported|[Uu]nsupported|No implementation for|"
      r"can't be converted to MLDataType",
      device=option("device", "CPU"))
