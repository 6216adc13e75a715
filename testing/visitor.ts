import { expect } from 'vitest'
import type { AuthServer, Browser } from './authServer.ts'

/** A browser on its way to the demo account provider and back. */
export interface Visitor extends Browser {
  /** One step; redirections are answered, not followed. With a form: sends it. */
  go(url: string, form?: Record<string, string>): Promise<Step>
  /** From our button to the provider's page: its address, with what we asked for. */
  startGoogle(): Promise<URL>
  /** Fills in the provider's page. Answers where it sends the browser. */
  choose(asked: URL, account: Account): Promise<URL>
  /** The whole way. */
  signInAs(account: Account): Promise<Step>
}

interface Step {
  status: number
  to: string
  text: string
}

interface Account {
  email: string
  given_name?: string
  family_name?: string
  email_verified?: 'on'
}

export const tripCookie = 'pitboard_google'

/** Where one ends who is refused. */
export const refused = (code: string) => ({ status: 302, to: `/auth/sign-in?refused=${code}` })

/** A new browser, in which nobody is signed in. */
export function visitor(server: AuthServer): Visitor {
  const browser = server.browser()

  async function go(url: string, form?: Record<string, string>): Promise<Step> {
    const answer = await fetch(new URL(url, server.url), {
      redirect: 'manual',
      headers: { cookie: browser.jar.header, ...(form && { origin: server.url }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    browser.jar.keep(answer)
    return {
      status: answer.status,
      to: answer.headers.get('location') ?? '',
      text: await answer.text(),
    }
  }

  async function setOut(): Promise<URL> {
    const { to } = await go('/api/auth/google')
    expect(to).toContain('/dev/openid/authorize?')
    return new URL(to)
  }

  async function choose(asked: URL, account: Account): Promise<URL> {
    const page = await go(asked.href)
    expect(page.text).toContain('Demo account provider')
    const kept = [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(kept.map(([, name, value]) => [name, unescaped(value ?? '')]))
    const names = { given_name: 'Ana', family_name: 'Prost' }
    return new URL((await go('/dev/openid/authorize', { ...fields, ...names, ...account })).to)
  }

  async function signInAs(account: Account): Promise<Step> {
    return go((await choose(await setOut(), account)).href)
  }

  return { ...browser, go, startGoogle: setOut, choose, signInAs }
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&')
