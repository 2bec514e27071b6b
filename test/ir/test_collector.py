import gc

import pytest

from nvvm_xdsl.ir.collector import paused_collector


def test_paused_and_resumed():
    assert gc.isenabled()
    with paused_collector():
        assert not gc.isenabled()
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_resumed_after_an_error():
    with pytest.raises(KeyError), paused_collector():
        raise KeyError
    assert gc.isenabled()
