/** A passkey can be added this long after a sign-in: the limit of the server. */
const recentMs = 15 * 60_000

let signedInAt: number | null = null

/** Records that somebody has just signed in on this page with a code or an external account. */
export function recordSignIn() {
  signedInAt = Date.now()
}

export function hasJustSignedIn(): boolean {
  return signedInAt !== null && Date.now() - signedInAt < recentMs
}
