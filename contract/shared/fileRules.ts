// No zod here: the browser needs these at run time.

import { storedBounds } from './storedBounds.ts'

/** How long a browser may cache an uploaded file, in seconds. */
export const uploadCacheSeconds = 3600

/** Largest file, in bytes. */
export const maxFileBytes = 5 * 1024 * 1024

/** Maximum number of files in a team. */
export const maxTeamFiles = storedBounds.files.max

/** Maximum total size of a team's files, in bytes. */
export const maxTeamBytes = 100 * 1024 * 1024

/** Longest side of a picture, in pixels: a small file can decode to more memory than a phone has. */
export const maxImageSidePx = 4096

/** Content types of a team's files. All but the pictures are served as downloads only. */
export const fileTypes = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/octet-stream',
] as const
export type FileType = (typeof fileTypes)[number]

/** The name of a team's logo among its files. Any member may change it. */
export const logoName = 'logo'

/** The name of a member's photo among a team's files. Only that member may change it. */
export function memberPhotoName(userId: string): string {
  return `member-${userId}`
}

/** Returns the member whose photo has this name, or null for any other name. Ids are case-insensitive. */
export function memberOfPhoto(name: string): string | null {
  const id = /^member-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.exec(name)?.[1]
  return id?.toLowerCase() ?? null
}

/** The URL of a file. `updatedAt` in the query bypasses the browser's cache after a newer upload. */
export function fileUrl(file: { teamId: string; name: string; updatedAt?: number }): string {
  const { teamId, name, updatedAt } = file
  const place = `/api/files.get?teamId=${encodeURIComponent(teamId)}&name=${encodeURIComponent(name)}`
  return updatedAt === undefined ? place : `${place}&updatedAt=${updatedAt}`
}
