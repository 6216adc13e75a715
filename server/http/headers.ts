import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

interface HeaderSettings {
  publicUrl(): string
  certificate?: { readonly isPublic: boolean } | undefined
  /** Settings of support; undefined if it is not configured. */
  support?: { external: { ingestUrl: string } | undefined } | undefined
}

/** Adds security headers. HSTS is only sent with HTTPS, and a certificate that browsers trust by themselves. */
export async function addHeaders(
  app: FastifyInstance,
  { publicUrl, certificate, support }: HeaderSettings,
) {
  const media = support ? '(self)' : '()'
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'", ...hostsOf(support?.external?.ingestUrl)],
        manifestSrc: ["'self'"],
        // The tracker creates its worker from a blob.
        workerSrc: support ? ["'self'", 'blob:'] : ["'self'"],
        // Headset buttons only reach a page that plays media, so the app plays generated silence.
        mediaSrc: ["'self'", 'blob:'],
        frameAncestors: ["'none'"],
        // The built-in support desk shows visitors' pages in a frame.
        frameSrc: support && !support.external ? ["'self'"] : ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
      },
    },
    // Set in the hook below, because the public URL is not known yet.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header(
      'permissions-policy',
      `geolocation=(self), screen-wake-lock=(self), fullscreen=(self), camera=${media}, microphone=${media}, payment=(), usb=()`,
    )
    if (publicUrl().startsWith('https:') && certificate?.isPublic !== false) {
      reply.header('strict-transport-security', 'max-age=31536000')
    }
    done()
  })
}

/** Returns the HTTP and WebSocket origins of a support server. */
function hostsOf(address: string | undefined): string[] {
  if (address === undefined) return []
  const { origin } = new URL(address)
  return [origin, origin.replace(/^http/, 'ws')]
}
