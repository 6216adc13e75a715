import { type Html, html } from './html.ts'

// Mail clients support neither stylesheets nor most fonts, so colours are constants and go inline.
const font = "'Archivo', system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
const paper = '#eceeea'
const card = '#ffffff'
const ink = '#0b0e0c'
const quietInk = '#565e58'
const board = '#000000'
const boardInk = '#ffffff'
const brandYellow = '#ffd814'

/** Renders a complete mail. `preview` is the text that an inbox shows next to the subject. */
export function mailPage({
  title,
  preview,
  body,
  footer,
}: {
  title: string
  preview: string
  body: Html
  footer: Html
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #0a0c0b !important; color: #f3f5f1 !important; }
  .card { background: #141715 !important; border-color: #2c322e !important; color: #f3f5f1 !important; }
  .quiet { color: #98a19a !important; }
}
</style>
</head>
<body class="paper" style="margin: 0; padding: 0; background: ${paper}; color: ${ink}; font: 17px/1.45 ${font};">
<div style="display: none; max-height: 0; overflow: hidden;">${preview}</div>
<div class="paper" role="article" aria-label="${title}" lang="en" style="background: ${paper}; padding: 32px 16px;">
<div style="max-width: 480px; margin: 0 auto;">
<p style="margin: 0 0 16px; font-size: 20px; font-weight: 720; letter-spacing: -0.01em;"><span style="display: inline-block; width: 14px; height: 14px; margin-right: 8px; background: ${brandYellow}; border: 3px solid ${board}; border-radius: 3px;"></span>Pitboard</p>
<div class="card" style="background: ${card}; border: 1px solid #cfd4cc; border-radius: 14px; padding: 24px;">
${body}
</div>
<p class="quiet" style="margin: 16px 4px 0; color: ${quietInk}; font-size: 15px;">${footer}</p>
</div>
</div>
</body>
</html>
`.text
}

export function heading(text: string): Html {
  return html`<h1 style="margin: 0 0 12px; font-size: 26px; line-height: 1.08; font-weight: 720;">${text}</h1>`
}

export function paragraph(text: string): Html {
  return html`<p style="margin: 0 0 16px;">${text}</p>`
}

/** Renders the code on a board: black in both themes, with large digits. */
export function codeBoard(code: string): Html {
  return html`<div style="margin: 0 0 16px; padding: 20px 8px; background: ${board}; border-radius: 14px; color: ${boardInk}; text-align: center; font: 640 48px/1 ${font}; font-variant-numeric: tabular-nums; letter-spacing: 0.12em;">${code}</div>`
}

/** Renders a link as a button, followed by its URL for mail clients that show no buttons. */
export function linkButton(label: string, url: string): Html {
  return html`<p style="margin: 0 0 16px;"><a href="${url}" target="_blank" rel="noreferrer" style="display: inline-block; padding: 16px 24px; background: ${brandYellow}; border-radius: 8px; color: ${board}; font-weight: 720; text-decoration: none;">${label}</a></p>
<p class="quiet" style="margin: 0; color: ${quietInk}; font-size: 15px; overflow-wrap: anywhere;">${url}</p>`
}
