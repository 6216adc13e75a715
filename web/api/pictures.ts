import { fileUrl, logoName, memberPhotoName } from '#contract/shared/fileRules.ts'
import type { Team } from '#contract/teams.ts'

/** URL of the team's logo, if it has one. */
export function logoUrl({ id, logoUpdatedAt }: Team): string | undefined {
  if (logoUpdatedAt === null) return undefined
  return fileUrl({ teamId: id, name: logoName, updatedAt: logoUpdatedAt })
}

/** URL of this user's newest photo in any of their teams, if there is one. */
export function newestPhotoUrl(userId: string, teams: readonly Team[]): string | undefined {
  const photos = teams.flatMap(({ id, photoUpdatedAt }) =>
    photoUpdatedAt === null ? [] : [{ teamId: id, updatedAt: photoUpdatedAt }],
  )
  const newest = photos.sort((a, b) => b.updatedAt - a.updatedAt)[0]
  return newest && fileUrl({ ...newest, name: memberPhotoName(userId) })
}
