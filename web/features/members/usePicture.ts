import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { filesQuery, teamQuery, teamsQuery } from '#web/api/queries.ts'
import { upload } from '#web/api/upload.ts'
import { shrinkPicture } from '#web/device/shrinkPicture.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { useToasts } from '#web/ui/toasts.ts'

export interface PictureFile {
  teamId: string
  name: string
}

/** Saves and removes one picture of a team. Every screen that shows it asks where it is now. */
export function usePicture(file: PictureFile, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  function done(sentence: string) {
    for (const { queryKey } of [filesQuery(file.teamId), teamQuery(file.teamId), teamsQuery]) {
      void client.invalidateQueries({ queryKey })
    }
    toasts.success(appText.success, sentence)
    onDone()
  }
  const save = useMutation({
    mutationFn: async (chosen: File) => upload({ ...file, content: await shrinkPicture(chosen) }),
    onSuccess: () => done(membersText.pictureSaved),
  })
  const remove = useMutation({
    mutationFn: () => command('files.delete', file),
    onSuccess: () => done(membersText.pictureRemoved),
  })
  return { save, remove }
}
