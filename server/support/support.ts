import type { FastifyInstance } from 'fastify'
import { support as contract } from '#contract/support.ts'
import type { AppContext } from '../context.ts'
import { serverKey } from '../db/serverKeys.ts'
import { mount } from '../http/route.ts'
import type { Upgrades } from '../http/upgrades.ts'
import { openAssistSocket } from './assistSocket.ts'
import { type Audit, createAudit } from './audit.ts'
import type { SupportAuthContext } from './auth.ts'
import { Desk } from './desk.ts'
import { addIngest } from './ingest.ts'
import { openPeerSignals } from './peerSignals.ts'
import { supportCalls } from './routes.ts'

/** The parts of the desk that HTTP calls need. */
export interface Support {
  desk: Pick<Desk, 'visitors' | 'mayCall'>
  audit: Audit
  /** Key that signs visits and agents' tokens. */
  key: Buffer
}

interface SupportOptions {
  http: FastifyInstance
  context: AppContext
  upgrades: Upgrades
  authenticateHeaders: SupportAuthContext['authenticateHeaders']
}

/** Registers the support calls, and starts the desk with its sockets if it is built in. */
export async function openSupport({
  http,
  context: parts,
  upgrades,
  authenticateHeaders,
}: SupportOptions) {
  const { db, log, config } = parts
  const audit = createAudit(db, log)
  const desk = new Desk(audit)
  const key = await serverKey(db, 'support')
  const calls = supportCalls(parts, { desk, audit, key })
  mount(http, 'support', contract, calls, parts)
  const { support } = config
  if (!support || support.external) return { close: () => audit.flush() }

  const auth: SupportAuthContext = { db, log, live: parts.live, support, key, authenticateHeaders }
  await addIngest(http, auth)
  const assist = openAssistSocket(desk, auth)
  const peers = openPeerSignals(desk, auth)
  upgrades.at('/ws-assist/socket/', assist.take)
  upgrades.at('/assist/peerjs', peers.take)
  return {
    async close() {
      peers.close()
      await assist.close()
      await audit.flush()
    },
  }
}
