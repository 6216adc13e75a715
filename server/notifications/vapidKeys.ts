import { createECDH, createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema/tables.ts'
import { serverKey } from '../db/serverKeys.ts'

/** The key pair by which push services recognise this server (RFC 8292), base64url. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** Name of the key in the database. Subscriptions of another key are useless: never rename it. */
const keyName = 'vapid'

/** Returns the keys of this server: made at the first call, then the same for all nodes and after each restart. */
export async function vapidKeys(db: Kysely<Tables>): Promise<VapidKeys> {
  return pairOf(await serverKey(db, keyName))
}

function pairOf(secret: Buffer): VapidKeys {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(secret)
  } catch {
    // One in 4 billion random numbers is not below the order of the curve.
    return pairOf(createHash('sha256').update(secret).digest())
  }
  return {
    publicKey: pair.getPublicKey('base64url', 'uncompressed'),
    privateKey: secret.toString('base64url'),
  }
}
