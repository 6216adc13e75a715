import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, TeamId } from './ids.ts'

/** A name without folders: letters, digits, space, dot, dash, underscore; it does not start with a dot. */
export const FileName = z
  .string()
  .min(1)
  .max(120)
  .regex(/^[\p{L}\p{N}_-][\p{L}\p{N} ._-]*$/u, 'Use letters, digits, spaces, dots and dashes.')

export const StoredFile = z.object({
  name: FileName,
  sizeBytes: z.int(),
  contentType: z.string(),
  updatedAt: EpochMs,
})
export type StoredFile = z.infer<typeof StoredFile>

/** How long a browser may keep an uploaded file, in seconds. */
export const uploadCacheSeconds = 3600

export const files = {
  list: read({
    auth: 'signed-in',
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
    input: z.object({ teamId: TeamId, name: FileName }),
    output: z.object({}),
  }),
}
