/** Plans on one page of a list. Here by itself, so that help texts need not load the service. */
export const MOST_LISTED = 500;
