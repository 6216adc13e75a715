import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Headers that keep a browser from being used against its owner. HSTS only where there is HTTPS. */
export async function addHeaders(app: FastifyInstance, publicUrl: () => string) {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        // The silence that a headset button needs is made in the browser.
        mediaSrc: ["'self'", 'blob:'],
        frameAncestors: ["'none'"],
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
      'geolocation=(self), screen-wake-lock=(self), fullscreen=(self), camera=(), microphone=(), payment=(), usb=()',
    )
    if (publicUrl().startsWith('https:')) {
      reply.header('strict-transport-security', 'max-age=31536000')
    }
    done()
  })
}
