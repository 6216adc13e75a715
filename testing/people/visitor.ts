import { expect } from 'vitest'
import type { AuthServer } from './authServer.ts'

export interface Step {
  status: number
  to: string
  text: string
}

export interface Account {
  email: string
  given_name?: string
  family_name?: string
  email_verified?: 'on'
}

export const oauthStateCookie = 'pitboard_google'

/** The response that redirects a refused user. */
export const refused = (code: string) => ({ status: 302, to: `/auth/sign-in?refused=${code}` })

/** Creates a new browser in which nobody is signed in, for the demo account provider. */
export function visitor(server: AuthServer) {
  const browser = server.browser()

  /** Sends one request, with a POST if there is a form. Redirects are returned, not followed. */
  async function go(url: string, form?: Record<string, string>): Promise<Step> {
    const answer = await fetch(new URL(url, server.url), {
      redirect: 'manual',
      headers: { cookie: browser.jar.header, ...(form && { origin: server.url }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    browser.jar.store(answer)
    return {
      status: answer.status,
      to: answer.headers.get('location') ?? '',
      text: await answer.text(),
    }
  }

  /** Starts the sign-in and returns the provider's authorization URL. */
  async function startGoogle(): Promise<URL> {
    const { to } = await go('/api/auth/google')
    expect(to).toContain('/dev/openid/authorize?')
    return new URL(to)
  }

  /** Submits the provider's form and returns the URL it redirects to. */
  async function choose(authorizationUrl: URL, account: Account): Promise<URL> {
    const page = await go(authorizationUrl.href)
    expect(page.text).toContain('Demo account provider')
    const hidden = [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(
      hidden.map(([, name, value]) => [name, unescaped(value ?? '')]),
    )
    const names = { given_name: 'Ana', family_name: 'Prost' }
    return new URL((await go('/dev/openid/authorize', { ...fields, ...names, ...account })).to)
  }

  /** Runs the whole sign-in. */
  async function signInAs(account: Account): Promise<Step> {
    return go((await choose(await startGoogle(), account)).href)
  }

  return { ...browser, go, startGoogle, choose, signInAs }
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&')
