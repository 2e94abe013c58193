"""Lets numba read the machine code that the set-up left beside librosa, where it may not write.

numba uses a cache only in a folder that it can write to. A sandbox shows the libraries read-only,
and without the cache every kernel would compile librosa anew: 40 CPU seconds for one sound file.
"""

import os
import sys

WARM_UP = """
import numpy as np, librosa
sound = np.sin(np.arange(22050, dtype=np.float32) / 8)
librosa.feature.mfcc(y=sound, sr=22050)
"""


def wrap_caching(module):
    """numba.core.caching: a folder that is there is good enough, and nothing is saved there."""
    save = module.Cache._save_overload

    def ensure_cache_path(self):
        if not os.path.isdir(self.get_cache_path()):  # noqa: PTH112
            raise OSError("no cache beside this module")

    def _save_overload(self, sig, data):
        try:
            save(self, sig, data)
        except OSError:  # read-only
            return

    # A set-up that may write goes the usual way.
    if not os.access(sys.prefix, os.W_OK):
        module.InTreeCacheLocator.ensure_cache_path = ensure_cache_path
        module.Cache._save_overload = _save_overload
