// A list of which only the rows on the screen are elements.
class List {
  constructor(element, height, render) {
    this.element = element;
    this.height = height;
    this.render = render;
    this.count = 0;
    this.drawn = new Map();
    this.spacer = make("div", { class: "spacer" });
    element.classList.add("list");
    element.replaceChildren(this.spacer);
    element.addEventListener("scroll", () => this.draw(false), { passive: true });
    new ResizeObserver(() => this.draw(false)).observe(element);
  }

  show(count) {
    this.count = count;
    this.spacer.style.height = `${count * this.height}px`;
    this.draw(true);
  }

  draw(anew) {
    if (anew) {
      for (const row of this.drawn.values()) row.remove();
      this.drawn.clear();
    }
    const around = 12;
    const top = this.element.scrollTop;
    const first = Math.max(0, Math.floor(top / this.height) - around);
    const last = Math.min(this.count, Math.ceil((top + this.element.clientHeight) / this.height) + around);
    for (const [index, row] of this.drawn) {
      if (index < first || index >= last) { row.remove(); this.drawn.delete(index); }
    }
    for (let index = first; index < last; index++) {
      if (this.drawn.has(index)) continue;
      const row = this.render(index);
      row.style.top = `${index * this.height}px`;
      row.classList.add("row");
      row.dataset.index = index;
      this.drawn.set(index, row);
      this.spacer.append(row);
    }
  }

  // Brings a row into view, to the middle if it is not there already.
  reveal(index, always = false) {
    const top = index * this.height, view = this.element.clientHeight;
    const at = this.element.scrollTop;
    if (always || top < at + this.height || top > at + view - 2 * this.height) {
      this.element.scrollTop = Math.max(0, top - view / 2);
    }
    this.draw(false);
  }
}
