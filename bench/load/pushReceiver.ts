import { execFileSync } from 'node:child_process'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PushSubscription } from '#contract/notifications.ts'
import { listening } from '#testing/listening.ts'

/** Host of the seeded subscriptions. `redirectPush.mjs` connects to the receiver in its place. */
const pushHost = 'push.northline.example'

/** Starts a push service in this process that accepts and counts all encrypted notifications, over TLS. */
export async function startPushReceiver() {
  const { key, certificate } = await selfSigned()
  let received = 0
  const server = createServer({ key, cert: certificate }, (request, response) => {
    request.resume().once('end', () => {
      const isEncrypted = request.headers['content-encoding'] === 'aes128gcm'
      if (isEncrypted) received += 1
      response.writeHead(isEncrypted ? 201 : 400).end()
    })
  })
  const local = await listening(server)
  return {
    /** Number of notifications received so far. */
    get received() {
      return received
    },
    /** Environment variables of a server that sends its notifications here: `redirectPush.mjs` and its settings. */
    settings: {
      NODE_OPTIONS: `--import=${new URL('redirectPush.mjs', import.meta.url).href}`,
      PUSH_PORT: String(local.port),
      PUSH_CERTIFICATE: certificate,
    },
    stop: async () => local[Symbol.asyncDispose](),
  }
}

/** Returns the subscription of a new browser at the push service of the bench. */
export function newSubscription(): PushSubscription {
  return {
    endpoint: `https://${pushHost}/${randomUUID()}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

/** Creates a key and a self-signed certificate for the host, valid for a day. */
async function selfSigned() {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-push-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  try {
    const curve = 'ec_paramgen_curve:prime256v1'
    const names = ['-subj', `/CN=${pushHost}`, '-addext', `subjectAltName=DNS:${pushHost}`]
    const options = ['-newkey', 'ec', '-pkeyopt', curve, '-nodes', '-days', '1', ...names]
    const files = ['-keyout', key, '-out', certificate]
    execFileSync('openssl', ['req', '-x509', ...options, ...files], { stdio: 'ignore' })
    return { key: await readFile(key, 'utf8'), certificate: await readFile(certificate, 'utf8') }
  } finally {
    await rm(folder, { recursive: true })
  }
}
