// Rendered to HTML by scripts/prerender.mjs while the app is built; no part of the app.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { SignInScreen } from '#web/account/SignInScreen.tsx'
import { loginQuery } from '#web/api/loginQuery.ts'
import { ToastsContext } from '#web/ui/toasts.ts'

interface Offers {
  /** The server offers the sign-in with Google. */
  google: boolean
  /** Browsers support passkeys at the server's URL. */
  passkeys: boolean
}

/**
 * Renders the sign-in screen as HTML that is painted before the app's code has loaded. Its field can already be filled
 * in: the app takes over the entered text. Its other buttons are disabled until then.
 */
export function signInHtml({ google, passkeys }: Offers): string {
  // The screen reads them.
  Object.assign(globalThis, {
    document: { querySelector: () => null },
    window: { isSecureContext: passkeys, ...(passkeys && { PublicKeyCredential: {} }) },
    location: { hostname: 'localhost' },
  })
  const client = new QueryClient()
  client.setQueryData(loginQuery.queryKey, { login: null, ...(google && { google: true }) })
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={['/auth/sign-in']}>
        <ToastsContext value={noToasts}>
          <SignInScreen />
        </ToastsContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return html.replaceAll('<button type="button"', '<button disabled="" type="button"')
}

function ignore() {}
const noToasts = { success: ignore, error: ignore, notice: ignore, dismiss: ignore }
