import { useMutation, useQueryClient } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { appText } from '#web/text/app.ts'
import { passkeysText } from '#web/text/passkeys.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { deviceName } from './deviceName.ts'
import { loginsQuery } from './loginsQuery.ts'

export const passkeysQuery = queryOf('passkeys.list', {}, { staleTime: 0, gcTime: 0 })

/** Creates a passkey, named after this browser, and stores it on the server. */
export function useAddPasskey() {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: async () => {
      const optionsJSON = await command('passkeys.startAdding', {})
      const { startRegistration } = await import('@simplewebauthn/browser')
      const { id, rawId, type, response } = await startRegistration({ optionsJSON })
      const logins = await client.fetchQuery(loginsQuery)
      const own = logins.find(({ isThis }) => isThis)
      return command('passkeys.add', {
        name: own ? deviceName(own) : passkeysText.passkeyName,
        credential: { id, rawId, type, response },
      })
    },
    onSuccess: ({ name }) => toasts.success(appText.success, passkeysText.passkeyAdded(name)),
    onSettled: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
}
