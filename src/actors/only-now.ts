/** What refuses each change while one looks back. */
export const ONLY_NOW = 'Go back to now to change something'
