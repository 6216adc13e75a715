import { Html, html } from '../mail/html.ts'
import type { AuthorizationRequest } from './demoProvider.ts'

/** Where one types who one wants to be. */
export function accountPage(asked: AuthorizationRequest, wrong?: string): string {
  const kept = Object.entries(asked).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return page(html`<h1>Demo account provider</h1>
<p>This stands in for Google while external sign-in is tried on this machine. Nothing here is checked: be whoever you like.</p>
${wrong === undefined ? '' : html`<p role="alert"><strong>${wrong}</strong></p>`}
<form method="post" action="/dev/openid/authorize">
${kept}
<label>Email <input name="email" type="email" required autocomplete="off" placeholder="driver@example.com"></label>
<label>First name <input name="given_name" required maxlength="80" value="Demo"></label>
<label>Last name <input name="family_name" required maxlength="80" value="Driver"></label>
<label class="tick"><input name="email_verified" type="checkbox" checked> The address is verified</label>
<button>Continue to Pitboard</button>
</form>`)
}

/** The request did not come from our own sign-in. */
export function refusedPage(): string {
  return page(html`<h1>Demo account provider</h1>
<p>This request is not complete. Start again from the <a href="/auth/sign-in">sign-in screen</a>.</p>`)
}

function page(body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Demo account provider</title>
<style>${new Html(styles)}</style>
</head>
<body><main>${body}</main></body>
</html>
`.text
}

const styles = `
:root { color-scheme: light dark; font: 17px/1.45 system-ui, sans-serif; }
body { margin: 0; padding: 32px 16px; }
main { max-width: 420px; margin: 0 auto; padding: 24px; border: 3px dashed #ff8b1f; border-radius: 14px; }
h1 { margin: 0 0 12px; font-size: 26px; line-height: 1.1; }
form, label { display: grid; gap: 8px; }
form { gap: 16px; }
input, button { box-sizing: border-box; width: 100%; min-height: 56px; padding: 0 12px; font: inherit; }
.tick { grid-template-columns: auto 1fr; align-items: center; }
.tick input { width: 24px; min-height: 48px; }
button { border: 0; border-radius: 8px; background: #ffd814; color: #000; font-weight: 700; cursor: pointer; }
`
