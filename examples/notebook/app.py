"""A marimo notebook: CUDA C++ through the passes to a simulated launch, with sliders for pass parameters.

marimo run examples/notebook/app.py
"""

import marimo

app = marimo.App(width="medium", app_title="A kernel, its passes and its launch")


@app.cell
def _():
    import re
    from pathlib import Path

    import marimo as mo
    import numpy as np

    import nvvm_xdsl
    from nvvm_xdsl.integrations import notebook
    from nvvm_xdsl.integrations.cuda import find_clang, parse_cuda
    from nvvm_xdsl.pipeline.build import build_pipeline, print_nodes

    folder = Path(__file__).parent
    return (
        build_pipeline,
        find_clang,
        folder,
        mo,
        notebook,
        np,
        nvvm_xdsl,
        parse_cuda,
        print_nodes,
        re,
    )


@app.cell
def _(find_clang, folder, mo, nvvm_xdsl):
    try:
        find_clang()
        has_clang = True
    except nvvm_xdsl.DiagnosticError:
        has_clang = False
    text = (folder / "details.cu").read_text().replace("../cuda_min.h", "cuda_min.h")
    source = mo.ui.code_editor(text, language="cpp", disabled=not has_clang, label="CUDA C++")
    hint = "" if has_clang else "clang was not found: its output is read from a file."
    mo.vstack([mo.md("# A kernel, its passes and its launch"), source, mo.md(hint)])
    return has_clang, source


@app.cell
def _(folder, has_clang, mo, nvvm_xdsl, parse_cuda, source):
    try:
        module = parse_cuda(source.value) if has_clang else nvvm_xdsl.parse(folder / "details.ll")
    except nvvm_xdsl.DiagnosticError as error:
        mo.stop(True, mo.md(f"```text\n{error.render()}\n```"))
    return (module,)


@app.cell
def _(mo):
    level = mo.ui.slider(0, 3, value=3, label="level (-O)", show_value=True)
    inline = mo.ui.slider(
        steps=[0, 2, 4, 6, 8, 10, 225], value=225, label="inline: threshold", show_value=True
    )
    unroll = mo.ui.slider(
        steps=[1, 2, 4, 8], value=1, label="loop-unroll: unroll factor", show_value=True
    )
    wide = mo.ui.slider(2, 32, value=8, label="argument: width of the wide blur", show_value=True)
    mo.vstack([level, inline, unroll, wide])
    return inline, level, unroll, wide


@app.cell
def _(build_pipeline, inline, level, print_nodes, re, unroll):
    expanded = print_nodes(build_pipeline(f"nvopt<O{level.value}>"), expand=True)
    passes = re.sub(r"\binline<threshold=\d+", f"inline<threshold={inline.value}", expanded)
    if unroll.value > 1:
        passes += (
            f",function(loop-unroll<unroll-count={unroll.value}>,early-cse,instcombine,simplifycfg)"
        )
    return (passes,)


@app.cell
def _(level, module, notebook, nvvm_xdsl, passes):
    options = nvvm_xdsl.CompileOptions(arch="sm_90", passes=passes, machine_level=level.value)
    ptx = notebook.compile(module, options)
    return (ptx,)


@app.cell
def _(mo, notebook, np, nvvm_xdsl, ptx, wide):
    signal = np.sin(np.arange(200) / 9, dtype=np.float32)
    signal[100] += 2
    arguments = (signal, np.zeros_like(signal), signal.size, 1, wide.value)
    try:
        launched = notebook.launch(ptx, "details", 4, 64, arguments)
    except nvvm_xdsl.DiagnosticError as error:
        mo.stop(True, mo.md(f"```text\n{error.render()}\n```"))
    executed = launched.profile.total()
    return executed, launched, signal


@app.cell
def _(executed, launched, mo, ptx, signal):
    def line(values, colour):
        points = " ".join(f"{3 * x},{70 - 25 * y:.1f}" for x, y in enumerate(values))
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'

    plot = (
        '<svg viewBox="0 0 600 110" style="background:#fff;width:100%">'
        f"{line(signal, '#999')}{line(launched.arrays[1], '#c00')}</svg>"
    )
    mo.vstack(
        [
            mo.md("## The launch: the signal, and what stands out of it (red)"),
            mo.Html(plot),
            mo.hstack(
                [
                    mo.stat(executed.warps, label="PTX instructions executed by warps"),
                    mo.stat(len(ptx.splitlines()), label="lines of PTX"),
                ]
            ),
        ]
    )
    return


@app.cell
def _(launched, mo, module, notebook, passes, ptx):
    from nvvm_xdsl.pipeline import run_pipeline

    optimized = module.clone()
    run_pipeline(optimized, passes)
    kernel = next(
        op for op in optimized.ops if op.name == "llvm.func" and op.sym_name.data == "details"
    )
    mo.ui.tabs(
        {
            "PTX": mo.Html(notebook.html(ptx)),
            "launch": launched,
            "after the passes": mo.Html(notebook.html(optimized)),
            "control flow": mo.Html(notebook.html(kernel)),
            "before": mo.Html(notebook.html(module)),
        }
    )
    return


if __name__ == "__main__":
    app.run()
