import { createDecipheriv, createHmac, type ECDH } from 'node:crypto'

/** The private half of a browser's subscription. */
export interface BrowserKeys {
  pair: ECDH
  auth: Buffer
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
  const hash = createHmac('sha256', key)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Decrypts the body of a push message as a browser does (RFC 8291, one record of aes128gcm, RFC 8188). */
export function decryptPush({ pair, auth }: BrowserKeys, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const serverKey = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('The message has several records')

  const shared = hmac(auth, pair.computeSecret(serverKey))
  const input = hmac(shared, 'WebPush: info\0', pair.getPublicKey(), serverKey, '\x01')
  const secret = hmac(salt, input)
  const key = hmac(secret, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16)
  const nonce = hmac(secret, 'Content-Encoding: nonce\0\x01').subarray(0, 12)

  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // 2 ends the content of the last record, followed by zeros.
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some(byte => byte !== 0))
    throw new Error('The message has no valid padding')
  return padded.subarray(0, end).toString('utf8')
}
