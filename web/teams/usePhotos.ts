import { useQuery } from '@tanstack/react-query'
import { fileUrl, memberPhotoName } from '#contract/shared/fileRules.ts'
import { filesQuery } from '#web/api/teamQueries.ts'
import { useHasStatus } from '#web/live/useLive.ts'

/**
 * Returns a lookup from a member of this team to the URL of their photo. It finds none until the file
 * list is loaded.
 */
export function usePhotos(teamId: string): (userId: string | null) => string | undefined {
  // Requested before the connection opens, it would have to be requested again then.
  const enabled = !useHasStatus('connecting')
  const { data: files } = useQuery({ ...filesQuery(teamId), enabled })
  return userId => {
    if (userId === null) return undefined
    const photo = files?.find(({ name }) => name === memberPhotoName(userId))
    return photo && fileUrl({ teamId, name: photo.name, updatedAt: photo.updatedAt })
  }
}
