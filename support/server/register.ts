import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { serverKey } from '#server/db/serverKeys.ts'
import { mount } from '#server/http/route.ts'
import type { Upgrades } from '#server/http/upgrades.ts'
import { support as contract } from '#support/contract/support.ts'
import { viewPage } from '../contract/supportRules.ts'
import { createAudit, deleteOldAudit } from './agents/audit.ts'
import type { SupportAuthContext } from './agents/auth.ts'
import { openAssistSocket } from './desk/assistSocket.ts'
import { Desk } from './desk/desk.ts'
import { openPeerSignals } from './desk/peerSignals.ts'
import { addIngest } from './ingest.ts'
import { supportCalls } from './routes.ts'

interface SupportOptions {
  http: FastifyInstance
  context: AppContext
  upgrades: Upgrades
  authenticateHeaders: SupportAuthContext['authenticateHeaders']
}

/**
 * Registers the support calls, and starts the desk with its sockets if it is built in. Returns the add-on's
 * scheduled jobs and how to close it.
 */
export async function registerSupport({
  http,
  context,
  upgrades,
  authenticateHeaders,
}: SupportOptions) {
  const { db, log, config } = context
  const audit = createAudit(db, log)
  const desk = new Desk(audit)
  const key = await serverKey(db, 'support')
  const calls = supportCalls(context, { desk, audit, key })
  mount(http, 'support', contract, calls, context)
  const { support } = config
  const jobs = { deleteOldAudit: () => deleteOldAudit(db, context.clock.now()) }
  if (support?.external) addAssetHeaders(http)
  if (!support || support.external) return { jobs, close: () => audit.flush() }

  const auth: SupportAuthContext = {
    db,
    log,
    live: context.live,
    support,
    key,
    authenticateHeaders,
  }
  addViewPageHeaders(http)
  await addIngest(http, auth)
  const assist = openAssistSocket(desk, auth)
  const peers = openPeerSignals(desk, auth)
  upgrades.handle('/ws-assist/socket/', assist.take)
  upgrades.handle('/assist/peerjs', peers.take)
  return {
    jobs,
    async close() {
      peers.close()
      await assist.close()
      await audit.flush()
    },
  }
}

/**
 * Lets an OpenReplay server load the app's style sheets and fonts: it shows recorded pages from its own
 * origin, and without them an agent sees pages without layout. Assets are the same for everybody, and loaded
 * without cookies. Uploaded pictures stay private to members.
 */
function addAssetHeaders(http: FastifyInstance) {
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith('/assets/')) {
      reply
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('access-control-allow-origin', '*')
    }
    done()
  })
}

/**
 * Policy of the document in which an agent sees a visitor's page. Its content comes from a browser that may
 * lie: nothing in it runs or requests another host. Its styles arrive as text.
 */
const viewPolicy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join(';')

/** Lets the desk frame the view page, under a content security policy of its own. */
export function addViewPageHeaders(http: FastifyInstance) {
  http.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.split('?', 1)[0] === viewPage) {
      reply.header('content-security-policy', viewPolicy).header('x-frame-options', 'SAMEORIGIN')
    }
    done()
  })
}
