import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { InputOf, OutputOf } from '#contract/api.ts'

interface Behaviour {
  origin: string
  /** Signs this instead of the challenge of the options. */
  challenge?: string
  /** Signs for this site instead of the one in the options. */
  rpId?: string
  /** Added to the sign count; 0 repeats the last one. */
  step?: number
}

/** A WebAuthn authenticator with one passkey (ECDSA with P-256), which signs like a phone or security key. */
export class SoftwareAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id: Buffer
  #signCount = 0

  constructor(id: Buffer = randomBytes(16)) {
    this.#id = id
  }

  /** Responds to `navigator.credentials.create`. */
  create(
    options: OutputOf<'passkeys.startAdding'>,
    { origin, challenge = options.challenge, rpId = options.rp.id }: Behaviour,
  ): InputOf<'passkeys.add'>['credential'] {
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.#id.length)
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.#id, this.#coseKey()])
    const authData = Buffer.concat([authenticatorData(rpId, this.#signCount, true), attested])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, origin),
        attestationObject: attestationObject(authData).toString('base64url'),
      },
    }
  }

  /** Responds to `navigator.credentials.get`. */
  get(
    options: OutputOf<'passkeys.startSignIn'>,
    { origin, challenge = options.challenge, rpId = options.rpId, step = 1 }: Behaviour,
  ): InputOf<'passkeys.signIn'>['credential'] {
    this.#signCount += step
    const clientDataJSON = clientData('webauthn.get', challenge, origin)
    const data = authenticatorData(rpId, this.#signCount, false)
    const hash = sha256(Buffer.from(clientDataJSON, 'base64url'))
    const signature = sign('sha256', Buffer.concat([data, hash]), this.#keys.privateKey)
    return {
      ...this.#named(),
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    }
  }

  #named() {
    const id = this.#id.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const }
  }

  /** CBOR map of kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x, y. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
  }
}

/** Flags: user present (1), user verified (4), attested credential data follows (64). */
function authenticatorData(rpId: string, signCount: number, attested: boolean): Buffer {
  const rest = Buffer.alloc(5)
  rest[0] = 1 | 4 | (attested ? 64 : 0)
  rest.writeUInt32BE(signCount, 1)
  return Buffer.concat([sha256(rpId), rest])
}

/** CBOR map `{ fmt: 'none', attStmt: {}, authData }`. */
function attestationObject(authData: Buffer): Buffer {
  const length = Buffer.alloc(3)
  length[0] = 0x59
  length.writeUInt16BE(authData.length, 1)
  return Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    length,
    authData,
  ])
}

function clientData(type: string, challenge: string, origin: string): string {
  const json = JSON.stringify({ type, challenge, origin, crossOrigin: false })
  return Buffer.from(json).toString('base64url')
}

function sha256(data: Buffer | string): Buffer {
  return createHash('sha256').update(data).digest()
}
