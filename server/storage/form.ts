import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { maxFileBytes } from '#contract/fileRules.ts'
import { Refusal } from '#contract/refusal.ts'

/** What the form adds to its file: names, boundaries, two short fields. */
const formBytes = 16 * 1024

const fieldNames = ['teamId', 'name']
const limits = { fileSize: maxFileBytes, files: 1, fields: 2, parts: 3, fieldSize: 1024 }

/**
 * How many bytes a body will have, before any of it is read: as many as it says, or the most where it says
 * nothing. Refuses with `too-large`.
 */
export function announcedBytes(request: FastifyRequest): number {
  const largest = maxFileBytes + formBytes
  const announced = request.headers['content-length']
  if (announced === undefined) return largest
  if (Number(announced) > largest) throw tooLarge()
  return Number(announced)
}

/**
 * Reads a form (multipart/form-data) of the fields teamId and name and one file named `file`, in any order.
 * Refuses with `unsupported-type` what is no form, with `too-large`, and with `invalid-input` a form that
 * was cut off or holds anything else. When `late` is aborted its reason is thrown, and what came is dropped.
 */
export async function readForm(
  request: FastifyRequest,
  late: AbortSignal,
): Promise<Record<string, string | Buffer>> {
  if (!request.isMultipart()) throw new Refusal('unsupported-type')
  try {
    return await Promise.race([readParts(request, late), rejectedBy(late)])
  } catch (error) {
    // Nothing else than the sender's form was looked at: whatever is wrong is wrong there.
    throw error instanceof Refusal ? error : wrongForm()
  } finally {
    // What was not read is let go, or the connection would stand still and the answer with it.
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
  // At once, not when its sender comes to an end.
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
