/** `1 running task`, `2 running tasks`. */
export const tasksInWords = (count: number, adjective = ''): string =>
  `${count} ${adjective}${count === 1 ? 'task' : 'tasks'}`;
