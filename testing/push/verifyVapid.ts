import { createPublicKey, verify } from 'node:crypto'

const longestLifeS = 24 * 60 * 60

/**
 * Verifies the `Authorization` header of a push message as push services do (RFC 8292), and returns its contact.
 * Throws with the reason if it is not valid.
 */
export function verifyVapid(
  header: string | undefined,
  { publicKey, audience, nowMs }: { publicKey: string; audience: string; nowMs: number },
): string {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), *k=([\w-]+)$/.exec(header ?? '') ?? []
  if (key !== publicKey) throw new Error('The key is not that of the subscription')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const valid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({
        format: 'jwk',
        key: {
          kty: 'EC',
          crv: 'P-256',
          x: point.subarray(1, 33).toString('base64url'),
          y: point.subarray(33).toString('base64url'),
        },
      }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  )
  if (!valid) throw new Error('The signature is not valid')
  const { alg } = decoded(head)
  const { aud, exp, sub } = decoded(claims)
  if (alg !== 'ES256') throw new Error(`The algorithm is ${String(alg)}`)
  if (aud !== audience) throw new Error(`The audience is ${String(aud)}`)
  const leftS = Number(exp) - nowMs / 1000
  if (!(leftS > 0 && leftS <= longestLifeS)) throw new Error(`The token is valid for ${leftS} s`)
  if (typeof sub !== 'string' || !/^(mailto|https):/.test(sub))
    throw new Error(`The contact is ${String(sub)}`)
  return sub
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
