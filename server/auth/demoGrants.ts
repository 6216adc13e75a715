import { createHash, randomBytes } from 'node:crypto'
import type { AuthorizationRequest } from './demoProvider.ts'

export interface DemoAccount {
  email: string
  given_name: string
  family_name: string
  email_verified?: 'on' | undefined
}

export interface Grant {
  asked: AuthorizationRequest
  account: DemoAccount
}

/** A browser goes straight back with its code. */
const grantLifeMs = 60_000
const most = 1000

/** Codes given out and not yet taken. Each works once, for a minute, for who can prove they asked. */
export class DemoGrants {
  readonly #grants = new Map<string, Grant & { expiresAt: number }>()

  /** Answers the code. */
  add(asked: AuthorizationRequest, account: DemoAccount): string {
    this.#forgetOld()
    const code = randomBytes(32).toString('base64url')
    this.#grants.set(code, { asked, account, expiresAt: Date.now() + grantLifeMs })
    return code
  }

  take(how: { code: string; redirect_uri: string; code_verifier: string }): Grant | null {
    const grant = this.#grants.get(how.code)
    this.#grants.delete(how.code)
    if (!grant || grant.expiresAt <= Date.now()) return null
    const challenge = createHash('sha256').update(how.code_verifier).digest('base64url')
    const { asked } = grant
    return challenge === asked.code_challenge && how.redirect_uri === asked.redirect_uri
      ? grant
      : null
  }

  #forgetOld() {
    for (const [code, grant] of this.#grants) {
      if (grant.expiresAt <= Date.now() || this.#grants.size >= most) this.#grants.delete(code)
    }
  }
}
