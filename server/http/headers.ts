import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

interface HeaderSettings {
  publicUrl(): string
  /** Whether people are helped from outside, and from where. */
  support?: { external: { ingestUrl: string } | undefined } | undefined
}

/** Headers that keep a browser from being used against its owner. HSTS only where there is HTTPS. */
export async function addHeaders(app: FastifyInstance, { publicUrl, support }: HeaderSettings) {
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
        // The tracker makes its worker from a text of its own.
        workerSrc: support ? ["'self'", 'blob:'] : ["'self'"],
        // Media buttons go to a page that plays something: the app plays silence of its own making.
        mediaSrc: ["'self'", 'blob:'],
        frameAncestors: ["'none'"],
        // The built-in support desk shows visitors' pages in a frame.
        frameSrc: support && !support.external ? ["'self'"] : ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
      },
    },
    // Set below, once the address is known.
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
    if (publicUrl().startsWith('https:')) {
      reply.header('strict-transport-security', 'max-age=31536000')
    }
    done()
  })
}

/** A support server is asked by plain calls and by WebSockets. */
function hostsOf(address: string | undefined): string[] {
  if (address === undefined) return []
  const { origin } = new URL(address)
  return [origin, origin.replace(/^http/, 'ws')]
}
