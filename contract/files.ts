import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, TeamId } from './ids.ts'
import { fileTypes } from './shared/fileRules.ts'
import { refusalDetail } from './text.ts'

/**
 * A file name without folders: letters, digits, space, dot, dash and underscore; no dot or space at either
 * end, which a file system or a browser would drop. Accents are composed (NFC), so that one name has one
 * form.
 */
export const FileName = z
  .string()
  .normalize('NFC')
  .min(1, refusalDetail('missing'))
  .max(120, refusalDetail('too-long'))
  .regex(
    /^[\p{L}\p{N}_-]([\p{L}\p{M}\p{N} ._-]*[\p{L}\p{M}\p{N}_-])?$/u,
    refusalDetail('not-valid'),
  )
  // Rejects invisible characters that Unicode classes as letters or marks: fillers, variation selectors.
  .regex(/^\P{Default_Ignorable_Code_Point}*$/u, refusalDetail('not-valid'))

export const StoredFile = z.object({
  name: FileName,
  sizeBytes: z.int(),
  contentType: z.enum(fileTypes),
  updatedAt: EpochMs,
})
export type StoredFile = z.infer<typeof StoredFile>

/** Identifies one file. */
export const FileOfTeam = z.object({ teamId: TeamId, name: FileName })
export type FileOfTeam = z.infer<typeof FileOfTeam>

/**
 * `POST /api/files.upload` takes a form (multipart/form-data) with the fields of FileOfTeam and one file
 * named `file`, and responds with the StoredFile. `GET /api/files.get` takes FileOfTeam and responds with
 * the file itself. Both carry content other than JSON, so they are not in this table.
 */
export const files = {
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: "A team's files: by default 100 from the first, by name ascending.",
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
