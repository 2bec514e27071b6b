"""The limit of processor time."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from nvvm_xdsl.lab.time_limit import TimeLimitError, innermost, time_limit


def spin(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_work_beyond_the_time_limit_is_interrupted():
    handler = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(TimeLimitError) as caught, time_limit(0.05):
        spin(10)
    assert innermost(caught.value, "lab") == "test_time_limit.spin"
    assert innermost(caught.value, "passes") == ""
    assert signal.getsignal(signal.SIGVTALRM) is handler
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def careful_spin() -> None:
    try:
        spin(10)
    except Exception:
        pytest.fail("the limit was handled as an error")


def test_no_handler_catches_the_time_limit():
    with pytest.raises(TimeLimitError), time_limit(0.05):
        careful_spin()


def test_time_of_other_processes_does_not_count():
    with time_limit(0.05):
        time.sleep(0.2)


def test_time_limit_needs_a_number_and_the_main_thread():
    with time_limit(0.0):
        spin(0.1)
    done: list[bool] = []

    def work() -> None:
        with time_limit(0.01):
            spin(0.1)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
