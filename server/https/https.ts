import type { ServerCertificate } from '../http/secureServer.ts'

/** HTTPS that the server speaks itself: its certificate, and the port for what is needed before it works. */
export interface Https extends ServerCertificate {
  /** The public URL of the app. */
  publicUrl(): string
  /** Listens without HTTPS, and keeps the certificate up to date. `httpsPort` is where the app listens. */
  start(httpsPort: number): Promise<void>
  close(): void
}
