import type { Server } from 'node:http'
import type { ServerCertificate } from '../http/secureServer.ts'
import type { Setup } from './setup.ts'

/** HTTPS that the server speaks itself: its certificate, and the port for what is needed before it works. */
export interface Https extends ServerCertificate {
  /** The public URL of the app. */
  publicUrl(): string
  /** Listens without HTTPS, and keeps the certificate up to date. The server of the app listens already. */
  start(server: Server): Promise<void>
  /** The operator's page, without a mail server. */
  readonly setup?: Setup | undefined
  /** Days until the certificate ends, if its renewal can fail. */
  daysLeft?(): number
  close(): void
}
