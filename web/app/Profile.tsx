import { useQuery } from '@tanstack/react-query'
import { DeskMenuItem } from '#support/web/registerMenu.tsx'
import { ProfileMenu } from '#web/account/ProfileMenu.tsx'
import { loginQuery } from '#web/api/loginQuery.ts'

/** The profile menu, with the support desk for its agents. */
export function Profile() {
  const hasSupport = useQuery(loginQuery).data?.login?.support
  return <ProfileMenu>{hasSupport && <DeskMenuItem />}</ProfileMenu>
}
