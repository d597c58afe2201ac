import { Component, type ComponentChildren, type RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { afterPaint } from "../../page";
import { narrow as isNarrow, tiny } from "./narrow";
import { nextSort, type Sort } from "./views";

/** A column of a grid. row is a row of the answer, not of the grid. */
export interface GridColumn {
  name: string;
  title: string;
  numeric?: boolean;
  width: number; // in rem
  /** It takes what is left of the width. */
  grows?: boolean;
  cell: (row: number) => ComponentChildren;
  total?: string;
  /** Its place on a narrow screen, where a row is a card of two columns; without one it is not shown there. */
  card?: number;
  /** On a card it is as wide as this, and so many lines high. */
  lines?: number;
  /** Its title stands before it on a card. */
  labelled?: boolean;
  /** Rows are not sorted by it. */
  unsorted?: boolean;
}

/** Where the focus of a grid is. */
export interface Active {
  at: number; // index in view; -1: the header
  column: number;
}

interface GridProps {
  label: string;
  hint?: string; // how to use it, for screen readers
  view: Uint32Array;
  columns: readonly GridColumn[];
  /** Whether a row is here; the others are blank. */
  arrived?: (row: number) => boolean;
  sort: Sort | null;
  onSort: (by: string) => void;
  active: Active;
  onActive: (active: Active) => void;
  onOpen?: (at: number) => void;
  /** The space bar was pressed on a row. */
  onChoose?: (at: number) => void;
  onCopy?: (row: number) => void;
  /** Changes when the focus is to go to the active cell. */
  focusing?: number;
}

/** How the rows of a grid are sorted and where its focus is, of one for which no address keeps them. */
export function useGrid(): Pick<GridProps, "sort" | "onSort" | "active" | "onActive"> {
  const [sort, setSort] = useState<Sort | null>(null);
  const [active, onActive] = useState<Active>({ at: 0, column: 0 });
  return { sort, onSort: (by) => setSort(nextSort(sort, by)), active, onActive };
}

/** One rem in pixels: rows grow with the text. */
function useRem(): number {
  const [rem, setRem] = useState(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
  useEffect(() => {
    const measure = () => setRem(parseFloat(getComputedStyle(document.documentElement).fontSize));
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return rem;
}

/** The width in rem that a total needs. One of crores is wider than the amounts above it. */
const widthOf = (total = "") => 1.5 + 0.55 * total.length;

const spareRows = 16; // drawn above and below what can be seen
const step = 4; // rows after which they are drawn anew
const tallest = 44; // rem, as in the styles

/** The rows of equal height that can be seen in a box, with some to spare. */
function useWindow(box: RefObject<HTMLElement | null>, count: number, height: number, rem: number): [from: number, to: number] {
  const [top, setTop] = useState(0); // a row
  const rowsIn = (pixels: number) => Math.ceil(pixels / height / step) * step;
  const [seen, setSeen] = useState(() => rowsIn(tallest * rem));
  const [spare, setSpare] = useState(0); // until the first rows have been painted
  const drawn = useRef(false);
  useEffect(() => afterPaint(() => setSpare(spareRows)), []);
  useLayoutEffect(() => {
    const self = box.current!;
    const onScroll = () => setTop(Math.floor(self.scrollTop / height / step) * step);
    const sizes = new ResizeObserver(() => setSeen(rowsIn(self.clientHeight)));
    if (drawn.current) onScroll(); // rows have another height now
    drawn.current = true;
    self.addEventListener("scroll", onScroll, { passive: true });
    sizes.observe(self);
    return () => {
      self.removeEventListener("scroll", onScroll);
      sizes.disconnect();
    };
  }, [height]);
  const first = Math.min(top, count);
  return [Math.max(0, first - spare), Math.min(count, first + seen + step + spare)];
}

/** Whether a box is scrolled sideways. */
function useScrolled(box: RefObject<HTMLElement | null>): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const self = box.current!;
    const onScroll = () => setScrolled(self.scrollLeft > 0);
    self.addEventListener("scroll", onScroll, { passive: true });
    return () => self.removeEventListener("scroll", onScroll);
  }, []);
  return scrolled;
}

/** A table of any number of rows, of which those are drawn that can be seen. */
export function Grid(props: GridProps) {
  const { label, hint, view, arrived = () => true, sort, active, onActive, onOpen, onChoose, onCopy } = props;
  const box = useRef<HTMLDivElement>(null);
  const narrow = isNarrow.value;
  const columns = useMemo(
    () => (narrow ? props.columns.filter((c) => c.card).sort((a, b) => a.card! - b.card!) : props.columns),
    [props.columns, narrow],
  );
  const rem = useRem();
  const cardLines = Math.ceil(columns.reduce((n, c) => n + (c.lines ?? (tiny.value ? 1 : 0.5)), 0));
  const height = Math.round((narrow ? 1.5 * cardLines + 1.25 : 2.25) * rem);
  const [from, to] = useWindow(box, view.length, height, rem);
  const wantsFocus = useRef(false);
  const firstRow = narrow ? 0 : -1;
  const at = Math.max(firstRow, Math.min(active.at, view.length - 1));
  const column = Math.min(active.column, columns.length - 1);

  const focus = () => box.current!.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  /** Scrolls so that neither the header nor the footer covers a row. */
  const show = (row: number) => {
    const self = box.current!;
    const head = self.querySelector<HTMLElement>(".grid-head")?.offsetHeight ?? 0;
    const foot = self.querySelector<HTMLElement>(".grid-foot")?.offsetHeight ?? 0;
    const visible = self.clientHeight - head - foot;
    if (row < 0) self.scrollTop = 0;
    else if (row * height < self.scrollTop) self.scrollTop = row * height;
    else if ((row + 1) * height > self.scrollTop + visible) self.scrollTop = (row + 1) * height - visible;
  };
  const showColumn = () => {
    const self = box.current!;
    const cell = self.querySelector<HTMLElement>("[tabindex='0']")?.closest<HTMLElement>(".grid-cell");
    const sticky = self.querySelector<HTMLElement>(".grid-cell")?.offsetWidth ?? 0;
    if (!cell || narrow) return;
    if (column === 0) self.scrollLeft = 0;
    else if (cell.offsetLeft < self.scrollLeft + sticky) self.scrollLeft = cell.offsetLeft - sticky;
    else if (cell.offsetLeft + cell.offsetWidth > self.scrollLeft + self.clientWidth)
      self.scrollLeft = cell.offsetLeft + cell.offsetWidth - self.clientWidth;
  };
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focus();
    showColumn();
  });
  useEffect(() => {
    if (!props.focusing) return;
    show(at);
    focus();
  }, [props.focusing]);
  useEffect(() => {
    box.current!.scrollTop = 0;
  }, [view]);

  const move = (next: Active) => {
    next.at = Math.max(firstRow, Math.min(next.at, view.length - 1));
    next.column = Math.max(0, Math.min(next.column, columns.length - 1));
    wantsFocus.current = true;
    show(next.at);
    onActive(next);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.altKey || e.shiftKey || (e.metaKey && e.key !== "c")) return;
    const page = Math.max(1, Math.floor(box.current!.clientHeight / height) - 3);
    switch (e.key) {
      case "ArrowDown":
        move({ at: at + 1, column });
        break;
      case "ArrowUp":
        move({ at: at - 1, column });
        break;
      case "ArrowLeft":
        move({ at, column: column - 1 });
        break;
      case "ArrowRight":
        move({ at, column: column + 1 });
        break;
      case "PageDown":
        move({ at: at + page, column });
        break;
      case "PageUp":
        move({ at: Math.max(0, at - page), column });
        break;
      case "Home":
        move(e.ctrlKey ? { at: 0, column: 0 } : { at, column: 0 });
        break;
      case "End":
        move(e.ctrlKey ? { at: view.length - 1, column: columns.length - 1 } : { at, column: columns.length - 1 });
        break;
      case "Enter":
        if (at < 0 || !onOpen) return; // the button of a header acts by itself
        onOpen(at);
        break;
      case " ":
        if (at < 0 || !onChoose) return;
        onChoose(at);
        break;
      case "c":
        if (!(e.ctrlKey || e.metaKey) || at < 0 || !onCopy || !getSelection()!.isCollapsed) return;
        onCopy(view[at]!);
        break;
      default:
        return;
    }
    e.preventDefault();
  };
  const onClick = (e: MouseEvent) => {
    const cell = (e.target as HTMLElement).closest<HTMLElement>("[data-column]");
    if (!cell || !getSelection()!.isCollapsed) return; // a text has been selected
    const clicked = { at: Number(cell.dataset.at ?? cell.parentElement!.dataset.at), column: Number(cell.dataset.column) };
    wantsFocus.current = true;
    onActive(clicked);
    onOpen?.(clicked.at);
  };

  const shown: number[] = [];
  if (at >= 0 && at < from) shown.push(at); // the focus stays in the page
  for (let i = from; i < to; i++) shown.push(i);
  if (at >= to && at < view.length) shown.push(at);
  const widths = columns.map((c) => (c.numeric ? Math.max(c.width, widthOf(c.total)) : c.width));
  const tracks = columns.map((c, i) => (c.grows ? `minmax(${widths[i]}rem, 1fr)` : widths[i] + "rem")).join(" ");
  const width = widths.reduce((sum, w) => sum + w) + "rem";
  const scrolled = useScrolled(box);
  const hasFooter = columns.some((c) => c.total !== undefined);
  return (
    <div
      class={!narrow ? "grid" : tiny.value ? "grid cards single" : "grid cards"}
      ref={box}
      role="grid"
      aria-label={label}
      aria-description={hint}
      aria-readonly="true"
      aria-rowcount={view.length + 1 + (hasFooter ? 1 : 0)}
      aria-colcount={columns.length}
      style={{ "--tracks": tracks, "--width": width, "--row": height + "px" }}
      onKeyDown={onKeyDown}
      onClick={onClick}>
      <div role="rowgroup" class="grid-head">
        <div role="row" class="grid-row" aria-rowindex={1}>
          {columns.map((c, i) => {
            const sorted = sort?.by === c.name;
            return (
              <div
                key={c.name}
                role="columnheader"
                class={cellClass(c)}
                aria-colindex={i + 1}
                aria-sort={c.unsorted ? undefined : !sorted ? "none" : sort.down ? "descending" : "ascending"}>
                {narrow ? (
                  c.title
                ) : c.unsorted ? (
                  <span
                    class="plain"
                    tabIndex={at === -1 && i === column ? 0 : -1}
                    onFocus={() => (at !== -1 || i !== column) && onActive({ at: -1, column: i })}>
                    {c.title}
                  </span>
                ) : (
                  <button
                    type="button"
                    tabIndex={at === -1 && i === column ? 0 : -1}
                    onClick={() => props.onSort(c.name)}
                    onFocus={() => (at !== -1 || i !== column) && onActive({ at: -1, column: i })}>
                    <span>{c.title}</span>
                    <span class="sorted" aria-hidden="true">
                      {sorted && (sort.down ? "▼" : "▲")}
                    </span>
                  </button>
                )}
              </div>
            );
          })}
        </div>
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: view.length * height + "px" }}>
        {shown.map((i) => (
          <Row
            key={i}
            at={i}
            row={view[i]!}
            arrived={arrived(view[i]!)}
            height={height}
            columns={columns}
            labels={narrow}
            active={i === at ? column : -1}
          />
        ))}
        {scrolled && !narrow && (
          // One element that sticks, with copies of the first cells: a sticky cell in each
          // row would be a layer of the browser each, and scrolling four times as slow.
          <div class="grid-pinned" aria-hidden="true" style={{ width: columns[0]!.width + "rem" }}>
            {shown.map((i) => (
              <div
                key={i}
                class={i === at && column === 0 ? "grid-cell active" : "grid-cell"}
                data-at={i}
                data-column={0}
                style={{ transform: `translateY(${i * height}px)` }}>
                {arrived(view[i]!) && columns[0]!.cell(view[i]!)}
              </div>
            ))}
          </div>
        )}
      </div>
      {hasFooter && (
        <div role="rowgroup" class="grid-foot">
          <div role="row" class="grid-row" aria-rowindex={view.length + 2}>
            {columns.map((c, i) => (
              <div key={c.name} role="gridcell" class={cellClass(c)} aria-colindex={i + 1}>
                {narrow && c.labelled && c.total !== undefined && <span class="card-label">{c.title}</span>}
                {c.total}
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

const cellClass = (c: GridColumn) => `grid-cell c-${c.name}${c.numeric ? " num" : ""}${c.lines ? " long" : ""}`;

interface RowProps {
  at: number;
  row: number;
  arrived: boolean;
  height: number;
  columns: readonly GridColumn[];
  labels: boolean;
  active: number; // the column of the active cell, or -1
}

/** A row is drawn anew only if something of it has changed. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps) {
    const now = this.props;
    return (
      now.row !== next.row ||
      now.arrived !== next.arrived ||
      now.at !== next.at ||
      now.active !== next.active ||
      now.columns !== next.columns ||
      now.height !== next.height ||
      now.labels !== next.labels
    );
  }

  override render({ at, row, arrived, height, columns, labels, active }: RowProps) {
    return (
      <div
        role="row"
        class={active >= 0 ? "grid-row active" : "grid-row"}
        aria-rowindex={at + 2}
        data-at={at}
        style={{ transform: `translateY(${at * height}px)` }}>
        {columns.map((c, i) => {
          const content = arrived && c.cell(row);
          return (
            <div key={c.name} role="gridcell" class={cellClass(c)} aria-colindex={i + 1} data-column={i} tabIndex={i === active ? 0 : -1}>
              {labels && c.labelled && content !== "" && <span class="card-label">{c.title}</span>}
              {content}
            </div>
          );
        })}
      </div>
    );
  }
}
