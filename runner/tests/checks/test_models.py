"""Model files as agents leave them: honest ones answer, hostile ones decide nothing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from runner.checks.model_files import models
from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = '''
import gzip, io, json, pickle, struct, sys
from pathlib import Path

def fitted(model, *more):
    import numpy as np
    rows = np.abs(np.random.default_rng(3).normal(size=(60, 2)))
    return model.fit(rows, (rows[:, 0] > 0.7).astype(int), *more)

def dumped(name, thing, protocol=4):
    (data / name).write_bytes(pickle.dumps(thing, protocol))

class Call:
    """Pickled, it is a call of `function` that is made when it is opened."""
    def __init__(self, function, *arguments, state=None):
        self.parts = (function, arguments, state)
    def __reduce__(self):
        return self.parts if self.parts[2] is not None else self.parts[:2]

FORGE = """
import json, os
for fd in range(256):
    try: os.write(fd, json.dumps({"replies": [{"value": [1, 0]}]}).encode())
    except OSError: pass
os._exit(0)
"""
ROWS = [[2.0, 0.1], [0.1, 2.0]]

def right(case, name, rows=ROWS, wanted=(1, 0), method="predict", columns=None, timeout_s=60):
    from runner.checks.model_files import models
    [found] = models.ask(case, name, [models.predict(rows, columns, method)], timeout_s)
    case.equal("predictions", found, list(wanted), name)

def reads(case, name, test, *asks):
    from runner.checks.model_files import models
    found = models.ask(case, name, asks or [models.value()])
    case.expect("value", test(*found), actual=found, message=f"{found}"[:200])
'''
FOREST = "from sklearn.ensemble import RandomForestClassifier as Forest"
TABLE = """
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
table = pd.DataFrame({"size": [1, 2, 8, 9] * 5, "town": ["a", "b"] * 10})
parts = ColumnTransformer([("n", StandardScaler(), ["size"]), ("c", OneHotEncoder(), ["town"])])
dumped("pipe.pkl", make_pipeline(parts, LogisticRegression()).fit(table, [0, 0, 1, 1] * 5))
"""
SEARCH = """
import scipy.stats
from sklearn.model_selection import RandomizedSearchCV
from sklearn.svm import SVC
drawn = {"C": scipy.stats.uniform(1, 9), "degree": scipy.stats.randint(2, 4)}
dumped("search.pkl", fitted(RandomizedSearchCV(SVC(), drawn, n_iter=3, cv=3, random_state=1)))
"""
DATES = """
import pandas as pd
days = pd.date_range("2024-03-30", periods=2, tz="Europe/Berlin")
dumped("dates.pkl", pd.DataFrame({"day": days, "kind": pd.Categorical(["x", "y"]), "n": [1, None]}))
"""
TEXTS = """
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
model = make_pipeline(TfidfVectorizer(), MultinomialNB())
dumped("texts.pkl", model.fit(["good fine", "bad poor"] * 5, [1, 0] * 5))
"""
BOX = """
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
import joblib
joblib.dump({"scaler": fitted(StandardScaler()), "model": fitted(SVC(probability=False))},
            data / "box.joblib")
"""
GROUPS = """
import numpy as np
from sklearn.cluster import KMeans
points = np.array([[0.0, 0], [0, 1], [9, 9], [9, 8]])
dumped("groups.pkl", KMeans(2, random_state=0, n_init=3).fit(points))
"""

OWN = """
import math
import cloudpickle
from sklearn.svm import SVC
class Own:
    scale = 2
    def __init__(self, inner):
        self.weights, self.inner, self.turn = [[1.0, 2.0]], inner, lambda x: math.exp(x)
    @property
    def double(self):
        return super().__repr__()
    def predict(self, rows):
        raise SystemExit
Own.__module__ = "__main__"
(data / "own.pkl").write_bytes(cloudpickle.dumps(Own(fitted(SVC()))))
"""

HONEST = [
    Trial("forest", "forest.pkl",
          f"{FOREST}\ndumped('forest.pkl', fitted(Forest(9, random_state=1)))",
          "right(case, 'forest.pkl')"),
    Trial("forest-joblib", "f.joblib",
          f"import joblib\n{FOREST}\n"
          "joblib.dump(fitted(Forest(9, n_jobs=2, random_state=1)), data / 'f.joblib', compress=3)",
          "right(case, 'f.joblib')"),
    Trial("boosting", "boost.pkl",
          "from sklearn.ensemble import GradientBoostingClassifier as Boost\n"
          "dumped('boost.pkl', fitted(Boost(n_estimators=9)), 2)", "right(case, 'boost.pkl')"),
    Trial("boosting-histogram", "hist.pkl",
          "from sklearn.ensemble import HistGradientBoostingClassifier as Boost\n"
          "dumped('hist.pkl', fitted(Boost(max_iter=9)))", "right(case, 'hist.pkl')"),
    Trial("neighbours", "knn.pkl",
          "from sklearn.neighbors import KNeighborsClassifier as Knn\n"
          "dumped('knn.pkl', fitted(Knn(3, algorithm='kd_tree')), 5)", "right(case, 'knn.pkl')"),
    Trial("network", "mlp.pkl",
          "from sklearn.neural_network import MLPClassifier as Mlp\n"
          "dumped('mlp.pkl', fitted(Mlp((8,), max_iter=2000, random_state=1)))",
          "right(case, 'mlp.pkl')"),
    Trial("pipeline-of-columns", "pipe.pkl", TABLE,
          "right(case, 'pipe.pkl', [[9, 'a'], [1, 'b']], columns=['size', 'town'])"),
    Trial("texts", "texts.pkl", TEXTS, "right(case, 'texts.pkl', ['fine', 'poor'])"),
    Trial("search-with-distributions", "search.pkl", SEARCH, "right(case, 'search.pkl')"),
    Trial("dict-of-models", "box.joblib", BOX, "right(case, 'box.joblib')"),
    Trial("own-class-with-its-code", "own.pkl", OWN,
          "reads(case, 'own.pkl', lambda found: found['weights'] == [[1, 2]])"),
    Trial("model-in-an-own-class", "own2.pkl", OWN.replace("own.pkl", "own2.pkl"),
          "right(case, 'own2.pkl')"),
    Trial("function", "log.pkl",
          "import numpy as np\nfrom sklearn.preprocessing import FunctionTransformer\n"
          "dumped('log.pkl', FunctionTransformer(np.log1p))",
          "right(case, 'log.pkl', [[0.0]], [[0.0]], 'transform')"),
    Trial("k-means", "groups.pkl", GROUPS,
          "reads(case, 'groups.pkl', lambda facts, found: facts['type'] == 'sklearn.KMeans'"
          " and facts['parameters']['n_clusters'] == 2 and sorted(found) == [[0, .5], [9, 8.5]],"
          " *(lambda m: (m.describe(), m.read('cluster_centers_')))"
          "(__import__('runner.checks.model_files.models', fromlist='x')))"),
    Trial("components", "pca.pkl",
          "from sklearn.decomposition import PCA\ndumped('pca.pkl', fitted(PCA(1)))",
          "reads(case, 'pca.pkl', lambda found: len(found[0]) == 2,"
          " __import__('runner.checks.model_files.models', fromlist='x').read('components_'))"),
    Trial("frame", "frame.pkl",
          "import pandas as pd\n"
          "pd.DataFrame({'a': [1, 2], 'b': ['x', None]}).to_pickle(data / 'frame.pkl')",
          "reads(case, 'frame.pkl', lambda found: found['columns'] == ['a', 'b']"
          " and found['index'] == [0, 1] and found['rows'][0] == [1, 'x'])"),
    Trial("frame-of-dates", "dates.pkl", DATES,
          "reads(case, 'dates.pkl', lambda found:"
          " found['rows'][0] == ['2024-03-30T00:00:00+01:00', 'x', 1.0])"),
    Trial("gzip", "zip.pkl.gz",
          "(data / 'zip.pkl.gz').write_bytes(gzip.compress(pickle.dumps({'a': {1, 2}})))",
          "reads(case, 'zip.pkl.gz', lambda found: found == {'a': [1, 2]})"),
    Trial("array", "array.npy", "import numpy as np\nnp.save(data / 'array.npy', np.eye(2))",
          "reads(case, 'array.npy', lambda found: found == [[1, 0], [0, 1]])"),
    Trial("arrays", "arrays.npz",
          "import numpy as np\nnp.savez(data / 'arrays.npz', a=[1], b=[.5])",
          "reads(case, 'arrays.npz', lambda found: found == {'a': [1], 'b': [.5]})"),
]  # fmt: skip

TAMPERED = "which no model needs"
UNREADABLE = "could not be read as a"


def call(name: str, function: str, says: str = TAMPERED, more: str = "") -> Trial:
    """A pickle that calls `function` when it is opened."""
    make = f"{more}\ndumped({name + '.pkl'!r}, Call({function}))"
    return Trial(name, f"{name}.pkl", make, f"right(case, {name + '.pkl'!r})", says)


STATE = """
import scipy.stats
class Restored:
    def __reduce__(self):
        made = scipy.stats.rv_continuous()
        state = {**made.__dict__, "_parse_arg_template": FORGE}
        for name in list(state):
            if callable(state[name]): del state[name]
        return scipy.stats._continuous_distns.norm_gen, (), state
dumped("state.pkl", Restored())
"""
LOOP = f"""
{FOREST}
model = fitted(Forest(1))
tree = model.estimators_[0].tree_
_, arguments, state = tree.__reduce__()
state["nodes"]["left_child"][0] = state["nodes"]["right_child"][0] = 0
class Endless:
    def __reduce__(self): return type(tree), arguments, state
model.estimators_[0].tree_ = Endless()
dumped("loop.pkl", model)
"""
PLANT = "(data / {!r}).write_text('import os; os._exit(0)')"
NESTED = """
import joblib, numpy as np
joblib.dump(np.array([Call(exec, FORGE)], dtype=object), data / "nested.joblib")
"""
HOSTILE = [
    call("system", "__import__('os').system, 'touch /tmp/x; kill -9 -1'"),
    call("exec", "exec, FORGE"),
    call("eval", "eval, '__import__(\"os\")._exit(0)'"),
    call("import", "__import__, 'antigravity'"),
    call("popen", "__import__('subprocess').Popen, ['touch', '/tmp/x']"),
    call("getattr", "getattr, 'x', 'format'"),
    call("attrgetter", "__import__('operator').attrgetter, 'x'"),
    call("run-path", "__import__('runpy').run_path, '/tmp/x.py'"),
    call("fork", "__import__('os').fork"),
    call("kill-parent", "__import__('os').kill, 1, 9"),
    call("ctypes", "__import__('ctypes').CDLL, None"),
    call("open", "open, '/opt/pybench/data/secret'"),
    call("unhook", "__import__('sys').addaudithook, print"),
    call("pandas-eval", "pd.eval, '1+1'", more="import pandas as pd"),
    call("pandas-pickle", "pd.read_pickle, '/opt/pybench/data/exec.pkl'",
         more="import pandas as pd"),
    call("numpy-load", "np.load, '/opt/pybench/data/x.npy'", more="import numpy as np"),
    call("joblib-load", "joblib.load, '/opt/pybench/data/exec.pkl'", more="import joblib"),
    call("memmap", "np.memmap, '/tmp/x'", more="import numpy as np"),
    call("load-files", "f, '/'", more="from sklearn.datasets import load_files as f"),
    call("formula", "f, 'y ~ x'", more="from patsy import ModelDesc as M; f = M.from_formula"),
    Trial("dotted", "dotted.pkl",
          r"(data / 'dotted.pkl').write_bytes("
          r"b'\x80\x04\x8c\x06pandas\x8c\x0eDataFrame.eval\x93.')",
          "right(case, 'dotted.pkl')", TAMPERED),
    Trial("old-names", "old.pkl",
          r"(data / 'old.pkl').write_bytes(b'c__builtin__\nexecfile\n(S\"/tmp/x\"\ntR.')",
          "right(case, 'old.pkl')", TAMPERED),
    Trial("lambda", "lambda.pkl",
          "import cloudpickle\n(data / 'lambda.pkl').write_bytes(cloudpickle.dumps(lambda x: 1))",
          "right(case, 'lambda.pkl')", "nothing in the file has “predict”"),
    Trial("system-beside-a-lambda", "beside.pkl",
          "import cloudpickle, os\n(data / 'beside.pkl').write_bytes("
          "cloudpickle.dumps([lambda x: 1, Call(os.system, 'touch /tmp/x')]))",
          "right(case, 'beside.pkl')", TAMPERED),
    Trial("exec-beside-a-lambda", "exec2.pkl",
          "import cloudpickle\n(data / 'exec2.pkl').write_bytes("
          "cloudpickle.dumps([lambda x: 1, Call(exec, FORGE)]))",
          "right(case, 'exec2.pkl')", TAMPERED),
    Trial("own-class", "own.pkl",
          r"(data / 'own.pkl').write_bytes(b'\x80\x04\x8c\x08__main__\x8c\x05Model\x93)\x81.')",
          "right(case, 'own.pkl')", "the agent's own code, which it does not hold"),
    Trial("nested-in-joblib", "nested.joblib", NESTED, "right(case, 'nested.joblib')", TAMPERED),
    Trial("code-in-state", "state.pkl", STATE, "right(case, 'state.pkl')", "has “predict”"),
    Trial("none", "none.pkl", "dumped('none.pkl', None)", "right(case, 'none.pkl')",
          "nothing in the file has “predict”"),
    Trial("not-fitted", "raw.pkl", f"{FOREST}\ndumped('raw.pkl', Forest())",
          "right(case, 'raw.pkl')", "NotFittedError"),
    Trial("text", "text.pkl", "(data / 'text.pkl').write_text('no pickle')",
          "right(case, 'text.pkl')", UNREADABLE),
    Trial("cut", "cut.pkl", "(data / 'cut.pkl').write_bytes(pickle.dumps(list(range(99)))[:50])",
          "right(case, 'cut.pkl')", UNREADABLE),
    Trial("claims-a-terabyte", "huge.pkl",
          r"(data / 'huge.pkl').write_bytes(b'\x80\x04\x8e' + struct.pack('<Q', 1 << 40) + b'x.')",
          "right(case, 'huge.pkl')", UNREADABLE),
    Trial("array-of-a-terabyte", "huge.npy",
          "import numpy as np\nwith (data / 'huge.npy').open('wb') as out:\n"
          "    np.lib.format.write_array_header_1_0(out, {'descr': '<f8', 'fortran_order': False,"
          " 'shape': (1 << 37,)})",
          "reads(case, 'huge.npy', lambda found: True)", UNREADABLE),
    Trial("objects-in-array", "objects.npy",
          "import numpy as np\nnp.save(data / 'objects.npy', np.array([Call(exec, FORGE)], object),"
          " allow_pickle=True)",
          "reads(case, 'objects.npy', lambda found: True)", "allow_pickle=False"),
    Trial("deep", "deep.pkl", r"(data / 'deep.pkl').write_bytes(b'\x80\x04' + b']' * 9999"
          r" + b'a' * 9998 + b'.')",
          "reads(case, 'deep.pkl', lambda found: True)", "nested too deeply"),
    Trial("endless-tree", "loop.pkl", LOOP, "right(case, 'loop.pkl', timeout_s=10)",
          "did not answer in time"),
]  # fmt: skip

PLANTED = [
    Trial("honest", "a_model.pkl", f"{FOREST}\ndumped('a_model.pkl', fitted(Forest(3)))",
          "right(case, 'a_model.pkl')"),
    Trial("numpy", "numpy.py", PLANT.format("numpy.py"), "right(case, 'a_model.pkl')"),
    Trial("joblib", "joblib.py", PLANT.format("joblib.py"), "right(case, 'a_model.pkl')"),
    Trial("site", "sitecustomize.py", PLANT.format("sitecustomize.py"),
          "right(case, 'a_model.pkl')"),
]  # fmt: skip


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(HONEST, SETUP, tmp_path_factory.mktemp("honest"), 240.0))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    folder = tmp_path_factory.mktemp("hostile")
    return asyncio.run(try_out([*HOSTILE, *PLANTED], SETUP, folder, 300.0))


def test_an_honest_file_answers(honest: dict[str, Assertion], subtests: pytest.Subtests) -> None:
    for trial in HONEST:
        with subtests.test(trial=trial):
            expect_as_told(trial, honest[trial.name])


def test_a_hostile_file_fails_and_forges_nothing(
    hostile: dict[str, Assertion], subtests: pytest.Subtests
) -> None:
    for trial in HOSTILE:
        with subtests.test(trial=trial):
            expect_as_told(trial, hostile[trial.name])


@pytest.mark.parametrize("trial", PLANTED, ids=lambda trial: trial.name)
def test_a_module_beside_the_file_is_not_imported(
    trial: Trial, hostile: dict[str, Assertion]
) -> None:
    expect_as_told(trial, hostile[trial.name])


def test_a_question_names_no_private_or_unknown_thing() -> None:
    with pytest.raises(ValueError, match="private"):
        models.read("__class__")
    with pytest.raises(ValueError, match="is not one of"):
        models.predict([[1]], method="fit")


NONSENSE = [
    b"",
    b"null",
    b"[1]",
    b'{"replies": 1}',
    b'{"replies": [1, 2]}',
    b'{"replies": []}',
    b"[" * 99_999,
]


def test_a_reply_is_checked_before_it_is_believed(subtests: pytest.Subtests) -> None:
    for raw in NONSENSE:
        with subtests.test(raw=raw):
            with pytest.raises(models.ModelBroken):
                models.to_replies(raw, 0, 2)
            with pytest.raises(models.ModelTampered):
                models.to_replies(raw, models.REFUSED, 2)


def test_the_loader_can_read_nothing_but_libraries(tmp_path: Path) -> None:
    """Landlock, tried in a process of its own."""
    (tmp_path / "shown").write_text("yes")
    (tmp_path / "kept").write_text("no")
    code = f"""
import sys
sys.path.insert(0, {str(Path(models.__file__).parents[3])!r})
from runner.checks.model_files.landlock import keep_only
has_landlock = keep_only([{str(tmp_path / "shown")!r}])
print(has_landlock, open({str(tmp_path / "shown")!r}).read())
for path, mode in (({str(tmp_path / "kept")!r}, "r"), ({str(tmp_path / "shown")!r}, "w")):
    try: open(path, mode)
    except PermissionError: print("refused")
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=60
    )
    if done.stdout.startswith("False"):
        pytest.skip("this host's kernel has no Landlock")
    assert done.stdout.split() == ["True", "yes", "refused", "refused"], done.stderr
