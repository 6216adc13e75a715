import { html } from '../mail/html.ts'
import type { AuthorizationRequest } from './demoRequests.ts'
import { devPage } from './devPages.ts'

const title = 'Demo account provider'

/** The page where a tester types the account to use. */
export function accountPage(asked: AuthorizationRequest, wrong?: string): string {
  const kept = Object.entries(asked).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return devPage(
    title,
    html`<p>This stands in for Google while external sign-in is tried on this machine. Nothing here is checked: use any account.</p>
${wrong === undefined ? '' : html`<p role="alert"><strong>${wrong}</strong></p>`}
<form method="post" action="/dev/openid/authorize">
${kept}
<label>Email <input name="email" type="email" required autocomplete="off" placeholder="driver@example.com"></label>
<label>First name <input name="given_name" required maxlength="80" value="Demo"></label>
<label>Last name <input name="family_name" required maxlength="80" value="Driver"></label>
<label class="tick"><input name="email_verified" type="checkbox" checked> The address is verified</label>
<button>Continue to Pitboard</button>
</form>`,
  )
}

/** The page for an authorization request that our own sign-in did not send. */
export function refusedPage(): string {
  return devPage(
    title,
    html`<p>This request is not complete. Start again from the <a href="/auth/sign-in">sign-in screen</a>.</p>`,
  )
}
