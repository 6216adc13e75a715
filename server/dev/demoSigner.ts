import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

/** Creates a signer with a key pair for the lifetime of this process. */
export function createSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomUUID()
  return {
    publicKey: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },

    /** Returns a JSON Web Token with these claims. */
    sign(claims: Record<string, unknown>): string {
      const signed = `${encoded({ alg: 'ES256', typ: 'JWT', kid })}.${encoded(claims)}`
      const signature = sign('sha256', Buffer.from(signed), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${signed}.${signature.toString('base64url')}`
    },
  }
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
