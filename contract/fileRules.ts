// No zod here: the browser needs these at run time.

/** How long a browser may keep an uploaded file, in seconds. */
export const uploadCacheSeconds = 3600

/** Largest file, in bytes. */
export const maxFileBytes = 5 * 1024 * 1024

/** Most files of a team. */
export const maxTeamFiles = 200

/** What all files of a team may weigh together, in bytes. */
export const maxTeamBytes = 100 * 1024 * 1024

/** How often one person may upload in an hour. */
export const maxUploadsPerHour = 60

/** Longest side of a picture, in pixels: a small file can unfold to more than a phone can hold. */
export const maxImageSidePx = 4096

/** How a team's files may be served. Anything but these pictures is only ever downloaded. */
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

/** Whose photo has this name; null if it is no member's photo. Ids are known without regard to case. */
export function memberOfPhoto(name: string): string | null {
  const id = /^member-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.exec(name)?.[1]
  return id?.toLowerCase() ?? null
}

/** Where a file is read. With its `updatedAt`, a newer upload passes by what the browser keeps. */
export function fileUrl(file: { teamId: string; name: string; updatedAt?: number }): string {
  const { teamId, name, updatedAt } = file
  const place = `/api/files.get?teamId=${encodeURIComponent(teamId)}&name=${encodeURIComponent(name)}`
  return updatedAt === undefined ? place : `${place}&updatedAt=${updatedAt}`
}
