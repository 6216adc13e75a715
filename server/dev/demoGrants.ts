import { createHash, randomBytes } from 'node:crypto'
import type { AuthorizationRequest, DemoAccount } from './demoRequests.ts'

export interface Grant {
  asked: AuthorizationRequest
  account: DemoAccount
}

/** Browsers redirect with the code immediately. */
const grantLifeMs = 60_000
const maxGrants = 1000

/** Pending authorization codes. Each is valid once, for a minute, with the PKCE verifier of its request. */
export class DemoGrants {
  readonly #grants = new Map<string, Grant & { expiresAt: number }>()

  /** Creates and returns a code. */
  add(asked: AuthorizationRequest, account: DemoAccount): string {
    this.#deleteExpired()
    const code = randomBytes(32).toString('base64url')
    this.#grants.set(code, { asked, account, expiresAt: Date.now() + grantLifeMs })
    return code
  }

  /** Redeems a code. Returns null if it is unknown, expired or of another request. */
  redeem(how: { code: string; redirect_uri: string; code_verifier: string }): Grant | null {
    const grant = this.#grants.get(how.code)
    this.#grants.delete(how.code)
    if (!grant || grant.expiresAt <= Date.now()) return null
    const challenge = createHash('sha256').update(how.code_verifier).digest('base64url')
    const { asked } = grant
    return challenge === asked.code_challenge && how.redirect_uri === asked.redirect_uri
      ? grant
      : null
  }

  #deleteExpired() {
    for (const [code, grant] of this.#grants) {
      if (grant.expiresAt <= Date.now() || this.#grants.size >= maxGrants) this.#grants.delete(code)
    }
  }
}
