/** The page that has all of one violation. @param id of the notification that tells of it */
export const casePath = (id: string): string => `/violations/${id}`
