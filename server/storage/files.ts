import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { FileOfTeam, files, StoredFile } from '#contract/files.ts'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import {
  type FileType,
  logoName,
  maxTeamBytes,
  maxTeamFiles,
  memberOfPhoto,
} from '#contract/shared/fileRules.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { recordTeamChange } from '../teams/teamChanges.ts'
import { claimBlob, discardBlob, recordPendingBlob, removeLeftovers } from './leftovers.ts'
import { readPicture } from './picture.ts'

/** The services that files need. */
export type FileParts = Pick<AppContext, 'db' | 'blobs' | 'live' | 'log'>

/** A file, and the user who stores or deletes it. */
type FileOfUser = FileOfTeam & { userId: UserId }

type Row = Pick<Selectable<Tables['files']>, 'name' | 'size_bytes' | 'content_type' | 'updated_at'>

export async function listFiles(
  db: Kysely<Tables>,
  { teamId, limit, offset, sortBy, order }: z.output<typeof files.list.input>,
): Promise<StoredFile[]> {
  const rows = await db
    .selectFrom('files')
    .select(['name', 'size_bytes', 'content_type', 'updated_at'])
    .where('team_id', '=', teamId)
    .orderBy(sortBy === 'name' ? 'name' : 'updated_at', order)
    .orderBy('name')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toStoredFile)
}

/** Returns the metadata to serve a file, or null if there is none of this name. */
export async function findFile(db: Kysely<Tables>, { teamId, name }: FileOfTeam) {
  const row = await db
    .selectFrom('files')
    .select(['name', 'size_bytes', 'content_type', 'updated_at', 'blob_key'])
    .where('team_id', '=', teamId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? { ...toStoredFile(row), blobKey: row.blob_key } : null
}

/**
 * Stores a file and replaces one of the same name. Readers get the old one or the new one, complete.
 * Refuses with `not-yours`, `unsupported-type`, `not-a-member`, or `too-large` if the team's quota is
 * exceeded.
 */
export async function storeFile(
  parts: FileParts,
  file: FileOfUser & { bytes: Buffer },
): Promise<StoredFile> {
  const { teamId, name, userId } = file
  requireOwn(name, userId)
  const content = await readContent(name, file.bytes)
  const blobKey = `${teamId}/${randomUUID()}`
  await recordPendingBlob(parts.db, blobKey)
  try {
    await parts.blobs.put(blobKey, content.bytes)
    return await parts.db
      .transaction()
      .execute(trx => writeRow(trx, { teamId, name, userId, content, blobKey }))
  } catch (error) {
    // Only a refusal guarantees that the transaction changed nothing.
    if (error instanceof Refusal) await discardBlob(parts.db, blobKey)
    throw error
  } finally {
    await removeLeftovers(parts)
  }
}

/** Deletes a file. Refuses with `not-yours` or `not-found`. */
export async function deleteFile(parts: FileParts, { teamId, name, userId }: FileOfUser) {
  requireOwn(name, userId)
  await parts.db.transaction().execute(async trx => {
    const deleted = await trx
      .deleteFrom('files')
      .where('team_id', '=', teamId)
      .where('name', '=', name)
      .returning('name')
      .executeTakeFirst()
    if (!deleted) throw new Refusal('not-found')
    await recordLogo(trx, { teamId, name, userId })
  })
  await removeLeftovers(parts)
}

/** Records a new or deleted logo in the history of the team. Other files are not part of it. */
async function recordLogo(trx: Kysely<Tables>, { teamId, name, userId }: FileOfUser) {
  if (name !== logoName) return
  await recordTeamChange(trx, { teamId, kind: 'logo-changed', actorId: userId, at: Date.now() })
}

/** Only the member may change their photo; every other file belongs to the whole team. */
function requireOwn(name: string, userId: UserId) {
  const member = memberOfPhoto(name)
  if (member !== null && member !== userId) throw new Refusal('not-yours')
}

interface NewRow extends FileOfUser {
  content: Content
  blobKey: string
}

async function writeRow(trx: Kysely<Tables>, { teamId, name, userId, content, blobKey }: NewRow) {
  await requireStillEditor(trx, teamId, userId)
  await requireRoom(trx, { teamId, name, sizeBytes: content.bytes.length })
  const row = await trx
    .insertInto('files')
    .values({
      team_id: teamId,
      name,
      blob_key: blobKey,
      content_type: content.contentType,
      size_bytes: content.bytes.length,
      member_id: memberOfPhoto(name),
    })
    .onConflict(conflict =>
      conflict.columns(['team_id', 'name']).doUpdateSet(({ ref }) => ({
        blob_key: ref('excluded.blob_key'),
        content_type: ref('excluded.content_type'),
        size_bytes: ref('excluded.size_bytes'),
        updated_at: sql`now()`,
      })),
    )
    .returning(['name', 'size_bytes', 'content_type', 'updated_at'])
    .executeTakeFirstOrThrow()
  await claimBlob(trx, blobKey)
  await recordLogo(trx, { teamId, name, userId })
  return toStoredFile(row)
}

/** Enforces the team's quota. Locks the team, so that concurrent uploads cannot exceed it together. */
async function requireRoom(
  trx: Kysely<Tables>,
  { teamId, name, sizeBytes }: FileOfTeam & { sizeBytes: number },
) {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forNoKeyUpdate().execute()
  const { count, bytes } = await trx
    .selectFrom('files')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.coalesce(fn.sum<number>('size_bytes'), sql<number>`0`).as('bytes'),
    ])
    .where('team_id', '=', teamId)
    .where('name', '!=', name)
    .executeTakeFirstOrThrow()
  if (count >= maxTeamFiles) {
    throw new Refusal('too-large', { detail: 'files-too-many' })
  }
  if (bytes + sizeBytes > maxTeamBytes) {
    throw new Refusal('too-large', { detail: 'files-too-large' })
  }
}

function toStoredFile(row: Row): StoredFile {
  return {
    name: row.name,
    sizeBytes: row.size_bytes,
    contentType: row.content_type,
    updatedAt: row.updated_at.getTime(),
  }
}

interface Content {
  contentType: FileType
  bytes: Buffer
}

const pictureEndings: Record<string, FileType> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.jfif': 'image/jpeg',
  '.webp': 'image/webp',
}

/**
 * Detects a file's type from its bytes alone and ignores the sender's claims. Pictures are encoded again. A logo,
 * a photo, and a name with a picture's extension must be one: otherwise refuses with `unsupported-type`.
 * Everything else is served as a download only.
 */
async function readContent(name: string, bytes: Buffer): Promise<Content> {
  if (bytes.length === 0) {
    throw new Refusal('invalid-input', { detail: 'file-empty' })
  }
  const picture = await readPicture(bytes)
  const expected = pictureEndings[extname(name).toLowerCase()]
  if (expected && expected !== picture?.contentType) {
    throw new Refusal('unsupported-type')
  }
  if (mustBePicture(name) && !picture) {
    throw new Refusal('unsupported-type', { detail: 'picture-needed' })
  }
  return picture ?? { contentType: 'application/octet-stream', bytes }
}

function mustBePicture(name: string): boolean {
  return name === logoName || memberOfPhoto(name) !== null
}
