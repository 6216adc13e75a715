import type { FastifyInstance } from 'fastify'
import type { Clock } from '#contract/shared/clock.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { answerNotFound } from './refuse.ts'

const path = '/.well-known/security.txt'
/** RFC 9116 recommends less than a year. */
const validMs = 300 * dayMs

interface Settings {
  /** A `mailto:` or `https:` address; undefined disables the file. */
  contact: string | undefined
  clock: Clock
  publicUrl(): string
}

/** Serves security.txt, the contact for reporting a vulnerability (RFC 9116). */
export function addSecurityTxt(app: FastifyInstance, { contact, clock, publicUrl }: Settings) {
  app.get(path, { schema: { hide: true } }, (request, reply) => {
    if (contact === undefined) return answerNotFound(request, reply)
    const expires = new Date(clock.now() + validMs).toISOString()
    const fields = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl()}${path}`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${fields.join('\n')}\n`)
  })
}
