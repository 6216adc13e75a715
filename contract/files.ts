import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { fileTypes } from './fileRules.ts'
import { EpochMs, TeamId } from './ids.ts'
import { said } from './text.ts'

/**
 * A name without folders: letters, digits, space, dot, dash, underscore; no dot or space at either end
 * that a disk or a browser would drop. Accents are composed, however the keyboard wrote them.
 */
export const FileName = z
  .string()
  .normalize('NFC')
  .min(1, said('missing'))
  .max(120, said('too-long'))
  .regex(/^[\p{L}\p{N}_-]([\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}_-])?$/u, said('not-valid'))
  // Fillers and selectors count as letters and marks, and draw nothing.
  .regex(/^\P{Default_Ignorable_Code_Point}*$/u, said('not-valid'))

export const StoredFile = z.object({
  name: FileName,
  sizeBytes: z.int(),
  contentType: z.enum(fileTypes),
  updatedAt: EpochMs,
})
export type StoredFile = z.infer<typeof StoredFile>

/** Which file. */
export const FileOfTeam = z.object({ teamId: TeamId, name: FileName })
export type FileOfTeam = z.infer<typeof FileOfTeam>

/**
 * `POST /api/files.upload` takes a form (multipart/form-data) with the fields of FileOfTeam and one file
 * named `file`, and answers with the StoredFile. `GET /api/files.get` takes FileOfTeam and answers with
 * the file itself. Neither is JSON both ways, so they are not in this table.
 */
export const files = {
  list: read({
    auth: 'any-login',
    summary: "A team's files: 100 from the first, by name ascending, unless told otherwise.",
    input: z.object({
      teamId: TeamId,
      limit: z.coerce.number().int().min(1).max(1000).default(100),
      offset: z.coerce.number().int().min(0).default(0),
      sortBy: z.enum(['name', 'updatedAt']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    }),
    output: z.array(StoredFile),
  }),
  delete: command({
    auth: 'signed-in',
    summary: "Deletes one of a team's files.",
    input: FileOfTeam,
    output: z.object({}),
  }),
}
