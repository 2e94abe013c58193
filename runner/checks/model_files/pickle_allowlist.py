"""Allow-list of the names that a pickled model or table can ask Python for; all else is refused.

A pickle is a program that calls what it names. Named here are classes that hold numbers, and the
few functions that pickles of the kernel environment's libraries need to build them, found by
pickling every estimator of scikit-learn and every kind of column of pandas. A class that runs text
from its state as code when it is restored (scipy's distributions, formulas of statsmodels) is not
among them.
"""

from __future__ import annotations

import _compat_pickle
import importlib
import sys

EXACT: dict[str, frozenset[str]] = {
    module: frozenset(names.split())
    for module, names in {
        "builtins": "Ellipsis bool bytearray bytes complex dict float frozenset int list object "
        "range set slice str tuple",
        "_codecs": "encode",
        "collections": "Counter OrderedDict defaultdict deque",
        "copyreg": "_reconstructor",
        "datetime": "date datetime time timedelta timezone",
        "decimal": "Decimal",
        "fractions": "Fraction",
        "functools": "partial",
        "uuid": "UUID",
        "zoneinfo": "ZoneInfo",
        "joblib.numpy_pickle": "NumpyArrayWrapper",
        "numpy": "bool bool_ bytes_ complex128 complex64 datetime64 dtype float16 float32 float64 "
        "int16 int32 int64 int8 longdouble matrix ndarray object_ poly1d record recarray str_ "
        "timedelta64 uint16 uint32 uint64 uint8 void",
        "numpy._core.multiarray": "_reconstruct scalar",
        "numpy._core.numeric": "_frombuffer",
        "numpy.core.multiarray": "_reconstruct scalar",
        "numpy.core.numeric": "_frombuffer",
        "numpy.ma": "MaskedArray",
        "numpy.ma.core": "MaskedArray _mareconstruct",
        "numpy.polynomial.polynomial": "Polynomial",
        "numpy.random._mt19937": "MT19937",
        "numpy.random._pcg64": "PCG64 PCG64DXSM",
        "numpy.random._philox": "Philox",
        "numpy.random._pickle": "__bit_generator_ctor __generator_ctor __randomstate_ctor",
        "numpy.random._sfc64": "SFC64",
        "numpy.random.bit_generator": "SeedSequence __pyx_unpickle_SeedSequence",
        "numpy.rec": "recarray",
        "pandas": "ArrowDtype BooleanDtype Categorical CategoricalDtype CategoricalIndex DataFrame "
        "DatetimeIndex DatetimeTZDtype Float32Dtype Float64Dtype Index Int16Dtype Int32Dtype "
        "Int64Dtype Int8Dtype Interval IntervalDtype IntervalIndex MultiIndex NA Period "
        "PeriodDtype PeriodIndex RangeIndex Series SparseDtype StringDtype TimedeltaIndex "
        "UInt16Dtype UInt32Dtype UInt64Dtype UInt8Dtype",
        "pandas._libs.arrays": "__pyx_unpickle_NDArrayBacked",
        "pandas._libs.internals": "_unpickle_block",
        "pandas._libs.interval": "__pyx_unpickle_IntervalMixin",
        "pandas._libs.sparse": "BlockIndex IntIndex",
        "pandas._libs.tslibs.nattype": "_nat_unpickle",
        "pandas._libs.tslibs.timedeltas": "_timedelta_unpickle",
        "pandas._libs.tslibs.timestamps": "_unpickle_timestamp",
        "pandas.arrays": "ArrowExtensionArray ArrowStringArray BooleanArray DatetimeArray "
        "FloatingArray IntegerArray IntervalArray NumpyExtensionArray PeriodArray SparseArray "
        "StringArray TimedeltaArray",
        "pandas.core.indexes.base": "Index _new_Index",
        "pandas.core.indexes.datetimes": "_new_DatetimeIndex",
        "pandas.core.indexes.interval": "_new_IntervalIndex",
        "pandas.core.indexes.timedeltas": "_new_TimedeltaIndex",
        "pandas.core.internals.managers": "BlockManager SingleBlockManager",
        "pyarrow.lib": "_restore_array py_buffer type_for_alias",
        "scipy.interpolate._bsplines": "BSpline",
        "scipy.interpolate._cubic": "CubicSpline PchipInterpolator",
        "scipy.interpolate._interpolate": "PPoly",
        "scipy.optimize._optimize": "OptimizeResult",
        "scipy.sparse._bsr": "bsr_array bsr_matrix",
        "scipy.sparse._coo": "coo_array coo_matrix",
        "scipy.sparse._csc": "csc_array csc_matrix",
        "scipy.sparse._csr": "csr_array csr_matrix",
        "scipy.sparse._dia": "dia_array dia_matrix",
        "scipy.sparse._dok": "dok_array dok_matrix",
        "scipy.sparse._lil": "lil_array lil_matrix",
        "scipy.spatial._ckdtree": "cKDTree",
        "scipy.stats._kde": "gaussian_kde",
        "sklearn._loss._loss": "__pyx_unpickle_CyHalfMultinomialLoss",
        "sklearn.calibration": "_CalibratedClassifier",
        "sklearn.cluster._birch": "_CFNode _CFSubcluster",
        "sklearn.cluster._bisect_k_means": "_BisectingTree",
        "sklearn.cluster._kmeans": "_kmeans_single_elkan _kmeans_single_lloyd",
        "sklearn.compose._column_transformer": "make_column_selector",
        "sklearn.ensemble._hist_gradient_boosting.predictor": "TreePredictor",
        "sklearn.feature_selection._univariate_selection": "chi2 f_classif f_regression "
        "r_regression",
        "sklearn.feature_selection._mutual_info": "mutual_info_classif mutual_info_regression",
        "sklearn.metrics._dist_metrics": "newObj",
        "sklearn.metrics._scorer": "_CurveScorer _PassthroughScorer _Scorer",
        "sklearn.neighbors._ball_tree": "BallTree BallTree32 BallTree64 newObj",
        "sklearn.neighbors._kd_tree": "KDTree KDTree32 KDTree64 newObj",
        "sklearn.tree._tree": "Tree",
        "sklearn.utils._bunch": "Bunch",
        "sklearn.utils._metadata_requests": "MetadataRequest MethodMetadataRequest",
    }.items()
}
ALL_CLASSES = frozenset(  # of these modules: plain numbers, tables and trees
    {
        "pandas._libs.tslibs.offsets",
        "sklearn._loss._loss",
        "sklearn._loss.link",
        "sklearn._loss.loss",
        "sklearn.gaussian_process.kernels",
        "sklearn.linear_model._sgd_fast",
        "sklearn.metrics._dist_metrics",
        "sklearn.model_selection._split",
        "sklearn.neural_network._stochastic_optimizers",
    }
)
SCORES = frozenset(
    {
        "sklearn.metrics._classification",
        "sklearn.metrics._ranking",
        "sklearn.metrics._regression",
        "sklearn.metrics.cluster._supervised",
    }
)


def is_allowed(module: str, name: str) -> bool:
    """True if a pickle is allowed to name `module`.`name`; the look-up can import a listed
    library."""
    module, name = present_name(module, name)
    if "." in name:
        return False
    if name in EXACT.get(module, ()):
        return True
    if module in ALL_CLASSES:
        return isinstance(look_up(module, name), type)
    if module in SCORES:
        import sklearn.metrics

        return name in sklearn.metrics.__all__ and callable(look_up(module, name))
    if module.partition(".")[0] == "sklearn":
        return is_estimator(module, name)
    return module.partition(".")[0] == "numpy" and is_ufunc(name)


def present_name(module: str, name: str) -> tuple[str, str]:
    """Today's name of something that Python 2, whose names older protocols write, called
    otherwise."""
    if (module, name) in _compat_pickle.NAME_MAPPING:
        return _compat_pickle.NAME_MAPPING[(module, name)]
    return _compat_pickle.IMPORT_MAPPING.get(module, module), name


def look_up(module: str, name: str) -> object:
    """`name` in `module`, None when there is no such thing."""
    try:
        return getattr(importlib.import_module(module), name, None)
    except ImportError:
        return None


def is_estimator(module: str, name: str) -> bool:
    """True if it is a class of scikit-learn's estimators, its own tests apart."""
    if any(part in ("tests", "conftest") or "test" in part for part in module.split(".")):
        return False
    from sklearn.base import BaseEstimator

    found = look_up(module, name)
    return isinstance(found, type) and issubclass(found, BaseEstimator)


def is_ufunc(name: str) -> bool:
    """True if numpy has an element-wise function of this name, such as FunctionTransformer
    keeps."""
    numpy = sys.modules.get("numpy") or importlib.import_module("numpy")
    return isinstance(getattr(numpy, name, None), numpy.ufunc)
