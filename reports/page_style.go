package reports

// pageStyle is the page's look: the reader's own fonts, lines of some 70
// characters, and pictures as wide as the text. A wider table takes what the window
// has on both sides; beyond that it scrolls in its own box, so that the page
// never does.
const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d5dae0; --tint: #f5f7f9; --shade: #0000002e; --link: #0757b0;
  --good: #11632e; --good-tint: #dcf3e2; --bad: #9a1523; --bad-tint: #fde3e5; --open: #704c00; --open-tint: #fbeecb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e3e6ea; --soft: #a0a9b4; --line: #363d46; --tint: #1d2127; --shade: #000000b0; --link: #7db7ff;
    --good: #8fe0a8; --good-tint: #143a20; --bad: #ffaab1; --bad-tint: #4c171d; --open: #f2cf7a; --open-tint: #42320a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
}
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; overflow-wrap: break-word; }
h1, h2 { line-height: 1.25; text-wrap: balance; letter-spacing: -0.01em; }
h1 { font-size: 2rem; margin: 0 0 1rem; }
h2 { font-size: 1.375rem; margin: 3.5rem 0 0.75rem; }
p { margin: 0 0 1rem; text-wrap: pretty; }
a { color: var(--link); text-underline-offset: 0.15em; }
.question { font-size: 1.1875rem; line-height: 1.5; color: var(--soft); margin-bottom: 1.75rem; }
nav { margin: 2rem 0; padding: 0.9rem 1.25rem; background: var(--tint); border-radius: 0.5rem; font-size: 0.9375rem; }
nav p { margin: 0 0 0.25rem; font-weight: 600; }
nav ol { margin: 0; padding-left: 1.5rem; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
figure { margin: 1.75rem 0; }
figure img {
  display: block; width: 100%; height: auto; background: #ffffff;
  border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.5rem;
}
figcaption, .caption { color: var(--soft); font-size: 0.875rem; line-height: 1.5; }
figcaption { margin-top: 0.6rem; }
.caption { margin: 1.75rem 0 0.6rem; }
.table {
  overflow-x: auto; margin: 0 0 1.75rem;
  width: max-content; min-width: 100%; max-width: min(68rem, 100vw - 2.5rem);
  position: relative; left: 50%; transform: translateX(-50%);
  /* A shadow at an edge beyond which the table goes on. */
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) local left / 3rem 100% no-repeat,
    linear-gradient(to left, var(--paper) 40%, transparent) local right / 3rem 100% no-repeat,
    linear-gradient(to right, transparent 1px, var(--shade) 1px, transparent) scroll left / 0.9rem 100% no-repeat,
    linear-gradient(to left, transparent 1px, var(--shade) 1px, transparent) scroll right / 0.9rem 100% no-repeat;
}
.table:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; }
table { border-collapse: collapse; font-size: 0.875rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
th, td { padding: 0.4rem 0.75rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { padding-left: 0.25rem; }
th:last-child, td:last-child { padding-right: 0.25rem; }
th { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--line); }
.number { text-align: right; }
td.number { white-space: nowrap; }
td.long { min-width: 18rem; }
.unit { display: block; font-weight: 400; color: var(--soft); }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 0.75rem; font-size: 0.75rem; font-weight: 600; letter-spacing: 0.02em; white-space: nowrap; margin-right: 0.4rem; }
.badge.good { color: var(--good); background: var(--good-tint); }
.badge.bad { color: var(--bad); background: var(--bad-tint); }
.badge.open { color: var(--open); background: var(--open-tint); }
.notes { color: var(--soft); font-size: 0.9375rem; padding-left: 1.25rem; }
details { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 0.875rem; line-height: 1.5; }
summary { cursor: pointer; font-weight: 600; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0.3rem 1.25rem; margin: 1rem 0 0; }
dt { color: var(--soft); max-width: 14rem; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.8125rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
@media (max-width: 34rem) {
  body { font-size: 1rem; }
  main { padding: 1.5rem 1rem 3rem; }
  .table { max-width: 100%; }
  h1 { font-size: 1.625rem; }
  h2 { font-size: 1.25rem; margin-top: 2.5rem; }
  figure img { padding: 0.25rem; }
  dl { display: block; }
  dd { margin: 0 0 0.6rem; }
}
@media print {
  main { max-width: none; padding: 0; }
  figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`
