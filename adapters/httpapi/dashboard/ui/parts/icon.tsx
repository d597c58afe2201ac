// Drawings of 20 by 20, in the colour of their text. They are hidden from screen readers:
// what they mean is always said in words too.
const drawings = {
  info: "M10 9v5M10 6.2v.1M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Z",
  warn: "M10 8v3.5M10 14v.1M8.8 3.4 2.2 14.8c-.5.9.1 2 1.2 2h13.2c1.1 0 1.7-1.1 1.2-2L11.2 3.4a1.4 1.4 0 0 0-2.4 0Z",
  error: "M10 6v5M10 13.8v.1M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15Z",
  check: "m4.5 10.5 4 4 7-8.5",
  cross: "m5 5 10 10M15 5 5 15",
  file: "M11.5 2.5H6A1.5 1.5 0 0 0 4.5 4v12A1.5 1.5 0 0 0 6 17.5h8a1.5 1.5 0 0 0 1.5-1.5V6.5Zm0 0v4h4",
  upload: "M10 13.5v-9m0 0L6.5 8M10 4.5 13.5 8M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2",
  download: "M10 4v9m0 0 3.5-3.5M10 13 6.5 9.5M3.5 13v2A1.5 1.5 0 0 0 5 16.5h10a1.5 1.5 0 0 0 1.5-1.5v-2",
  copy: "M7.5 7.5h8v9h-8zM12.5 7.5v-4h-8v9h3",
  down: "m5.5 8 4.5 4.5L14.5 8",
  up: "m5.5 12.5 4.5-4.5 4.5 4.5",
  right: "m8 5.5 4.5 4.5L8 14.5",
  person: "M10 10a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 10 10Zm-6 6.5c.6-2.7 3-4 6-4s5.4 1.3 6 4",
  plus: "M10 4.5v11M4.5 10h11",
} as const;

export type IconName = keyof typeof drawings;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={drawings[name]} />
  </svg>
);
