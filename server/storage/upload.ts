import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { FileOfTeam, StoredFile } from '#contract/files.ts'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { maxFileBytes } from '#contract/shared/fileRules.ts'
import { refuseIfStoreFails } from '../blobs/storeFailures.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import { allowSlowRequest } from '../http/slowRequests.ts'
import { networkOf } from '../rateLimit/network.ts'
import { requireLogin } from '../rights/access.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { publishTeamChanged } from '../teams/teamChanged.ts'
import { type FileParts, storeFile } from './files.ts'
import { type UploadSlot, UploadSlots } from './uploadSlots.ts'

export type UploadParts = FileParts & Pick<AppContext, 'authenticate' | 'config' | 'rateLimits'>

const UploadForm = FileOfTeam.extend({
  file: z.unknown().meta({ type: 'string', format: 'binary' }),
})
type UploadForm = FileOfTeam & { file: Buffer }

const schema = {
  operationId: 'files.upload',
  tags: ['files'],
  summary: 'Stores a file of a team, in the place of one of the same name.',
  description:
    'At most 5 MB. Metadata about place, time and device is removed from pictures (PNG, JPEG, WebP). `logo` is ' +
    "the team's logo; `member-` and one's own id is one's photo. Both must be pictures.",
  security: [{ login: [] }],
  consumes: ['multipart/form-data'],
  body: UploadForm,
  response: { 200: StoredFile },
}

const access = { auth: 'signed-in' } as const

interface Admitted {
  slot: UploadSlot
  late: AbortSignal
}

/** Adds the call that stores a file. It takes a form, so it is not in the contract's table. */
export function addUpload(app: FastifyInstance, parts: UploadParts) {
  const slots = new UploadSlots()
  const admitted = new WeakMap<FastifyRequest, Admitted>()
  const admittedOf = (request: FastifyRequest) => {
    const found = admitted.get(request)
    if (!found) throw new Refusal('not-signed-in')
    return found
  }
  app.route<{ Body: UploadForm }>({
    method: 'POST',
    url: '/api/files.upload',
    config: { limit: 'rare' },
    schema,
    // Authentication and rate limits run before the body is read, so that refused files are not received at
    // all. Not in onRequest: the rate limit per IP address would run after it, and never count its refusals.
    preParsing: async (request, reply) => {
      const { userId } = requireLogin(await parts.authenticate(request), access)
      const bytes = announcedBytes(request)
      const slot = slots.take({ userId, ip: request.ip, bytes }, reply.raw)
      countUpload(parts, { userId, ip: request.ip, bytes })
      const late = allowSlowRequest(request.raw, () => slot.becomeSlow())
      admitted.set(request, { slot, late })
    },
    preValidation: async request => {
      const { slot, late } = admittedOf(request)
      const form = await slot.during(() => readForm(request, late))
      request.body = form as unknown as UploadForm
    },
    handler: async (request, reply) => {
      const { slot } = admittedOf(request)
      const { teamId, name, file } = request.body
      reply.header('cache-control', 'no-store')
      return slot.during(async () => {
        // The login may have ended while the file arrived, which can take minutes.
        const { userId } = requireLogin(await parts.authenticate(request), access)
        await requireEditor(parts.db, teamId, userId)
        const stored = await refuseIfStoreFails(parts, () =>
          storeFile(parts, { teamId, name, userId, bytes: file }),
        )
        await publishTeamChanged(parts, teamId)
        return stored
      })
    },
  })
}

/** Overhead of the form around its file: names, boundaries, two short fields. */
const formBytes = 16 * 1024

const fieldNames = ['teamId', 'name']
const limits = { fileSize: maxFileBytes, files: 1, fields: 2, parts: 3, fieldSize: 1024 }

/**
 * Returns the size of a body before any of it is read: its content length, or the maximum if it has none.
 * Refuses with `too-large`.
 */
function announcedBytes(request: FastifyRequest): number {
  const largest = maxFileBytes + formBytes
  const announced = request.headers['content-length']
  if (announced === undefined) return largest
  if (Number(announced) > largest) throw tooLarge()
  return Number(announced)
}

/**
 * Reads a form (multipart/form-data) with the fields teamId and name and one file named `file`, in any
 * order. Refuses other content with `unsupported-type`, a large file with `too-large`, and a form that is
 * incomplete or has other parts with `invalid-input`. When `late` is aborted, its reason is thrown and the
 * received part is dropped.
 */
async function readForm(
  request: FastifyRequest,
  late: AbortSignal,
): Promise<Record<string, string | Buffer>> {
  if (!request.isMultipart()) throw new Refusal('unsupported-type')
  try {
    return await Promise.race([readParts(request, late), rejectedBy(late)])
  } catch (error) {
    // Only the sender's form was parsed, so any other error is caused by that form.
    throw error instanceof Refusal ? error : wrongForm()
  } finally {
    // Drains the unread rest: otherwise the connection would stall, and the response with it.
    request.raw.unpipe().resume()
  }
}

async function readParts(request: FastifyRequest, late: AbortSignal) {
  const form = new Map<string, string | Buffer>()
  for await (const part of request.parts({ limits })) {
    const isFile = part.type === 'file'
    const isExpected = isFile ? part.fieldname === 'file' : fieldNames.includes(part.fieldname)
    if (!isExpected || form.has(part.fieldname)) throw wrongForm()
    form.set(part.fieldname, isFile ? await bytesOf(part, late) : textOf(part))
  }
  if (!form.has('file')) {
    throw new Refusal('invalid-input', { fields: { file: 'not-valid' } })
  }
  return Object.fromEntries(form)
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

async function bytesOf(part: MultipartFile, late: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  // Immediately, instead of at the end of the file.
  part.file.once('limit', () => part.file.destroy(tooLarge()))
  late.addEventListener('abort', () => part.file.destroy(late.reason as Error), { once: true })
  for await (const chunk of part.file) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function textOf({ value, valueTruncated }: { value: unknown; valueTruncated: boolean }): string {
  if (typeof value !== 'string' || valueTruncated) throw wrongForm()
  return value
}

function tooLarge(): Refusal {
  return new Refusal('too-large', { detail: 'file-too-large' })
}

function wrongForm(): Refusal {
  return new Refusal('invalid-input')
}

const windowMs = hourMs

/** As much as one team may store. */
export const kibPerPerson = 100 * 1024
/** Enough for a whole paddock behind one IP address. */
export const kibPerNetwork = 400 * 1024

interface Upload {
  userId: UserId
  ip: FastifyRequest['ip'] | undefined
  bytes: number
}

/**
 * Enforces the rate limits of uploads by the announced size, before the body is read, so that refused
 * uploads count too. Refuses with `too-many`.
 */
export function countUpload(
  { rateLimits, config }: Pick<AppContext, 'rateLimits' | 'config'>,
  { userId, ip, bytes }: Upload,
) {
  const cost = Math.ceil(bytes / 1024)
  rateLimits.enforce({ what: 'upload', key: userId, limit: kibPerPerson, windowMs, cost })
  // On a server only for this machine all requests come from one trusted IP address.
  if (isOnlyForThisMachine(config)) return
  const key = networkOf(ip, 48)
  rateLimits.enforce({ what: 'upload by network', key, limit: kibPerNetwork, windowMs, cost })
}
