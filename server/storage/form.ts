import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusal.ts'
import { maxFileBytes } from '#contract/shared/fileRules.ts'

/** Overhead of the form around its file: names, boundaries, two short fields. */
const formBytes = 16 * 1024

const fieldNames = ['teamId', 'name']
const limits = { fileSize: maxFileBytes, files: 1, fields: 2, parts: 3, fieldSize: 1024 }

/**
 * Returns the size of a body before any of it is read: its content length, or the maximum if it has none.
 * Refuses with `too-large`.
 */
export function announcedBytes(request: FastifyRequest): number {
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
export async function readForm(
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
