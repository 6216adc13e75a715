/** The screens that the add-on adds to the app. */
export const support = {
  path: '/support/*',
  load: () => import('./desk/DeskRoutes.tsx'),
  /** Screens that must not reload while somebody uses them. */
  inUse: ['/support/visits/:visitId/:tabId'],
}
