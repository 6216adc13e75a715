import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { filesQuery, teamQuery, teamsQuery } from '#web/api/queries.ts'
import { upload } from '#web/api/upload.ts'
import { shrinkPicture } from '#web/device/shrinkPicture.ts'
import { en } from '#web/text/en.ts'
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
    toasts.success(en.app.success, sentence)
    onDone()
  }
  const save = useMutation({
    mutationFn: async (chosen: File) => upload({ ...file, content: await shrinkPicture(chosen) }),
    onSuccess: () => done(en.members.pictureSaved),
  })
  const remove = useMutation({
    mutationFn: () => command('files.delete', file),
    onSuccess: () => done(en.members.pictureRemoved),
  })
  return { save, remove }
}
