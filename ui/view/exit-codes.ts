/** How a process ends that did what it was given: one code for each end of a turn (aura 20). */
export const EXIT_CODES = { answered: 0, done: 0, failed: 1, limit: 2, cancelled: 130 } as const;
